BEGIN TRANSACTION;
CREATE TABLE `account` (
          `id` text PRIMARY KEY,
          `email` text NOT NULL,
          `url` text NOT NULL,
          `access_token` text NOT NULL,
          `refresh_token` text NOT NULL,
          `token_expiry` integer,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL
        );
CREATE TABLE `account_state` (
          `id` integer PRIMARY KEY,
          `active_account_id` text,
          `active_org_id` text,
          CONSTRAINT `fk_account_state_active_account_id_account_id_fk` FOREIGN KEY (`active_account_id`) REFERENCES `account`(`id`) ON DELETE SET NULL
        );
CREATE TABLE `control_account` (
          `email` text NOT NULL,
          `url` text NOT NULL,
          `access_token` text NOT NULL,
          `refresh_token` text NOT NULL,
          `token_expiry` integer,
          `active` integer NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `control_account_pk` PRIMARY KEY(`email`, `url`)
        );
CREATE TABLE `credential` (
          `id` text PRIMARY KEY,
          `integration_id` text,
          `label` text NOT NULL,
          `value` text NOT NULL,
          `connector_id` text,
          `method_id` text,
          `active` integer,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL
        );
CREATE TABLE `data_migration` (
          `name` text PRIMARY KEY,
          `time_completed` integer NOT NULL
        );
CREATE TABLE `event` (
          `id` text PRIMARY KEY,
          `aggregate_id` text NOT NULL,
          `seq` integer NOT NULL,
          `type` text NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_event_aggregate_id_event_sequence_aggregate_id_fk` FOREIGN KEY (`aggregate_id`) REFERENCES `event_sequence`(`aggregate_id`) ON DELETE CASCADE
        );
CREATE TABLE `event_sequence` (
          `aggregate_id` text PRIMARY KEY,
          `seq` integer NOT NULL,
          `owner_id` text
        );
INSERT INTO "event_sequence" VALUES('ses_e03b86f5affeQcClvwcXu2tieF',76,NULL);
INSERT INTO "event_sequence" VALUES('ses_e03b675bdffeIzI8T94hc2NCml',62,NULL);
INSERT INTO "event_sequence" VALUES('ses_e03b63258ffeiLMWEmcdOSUhV7',50,NULL);
CREATE TABLE `message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
INSERT INTO "message" VALUES('msg_1fc4790fa001IzJnMqBzDqkNG7','ses_e03b86f5affeQcClvwcXu2tieF',1789978043729,1789978164569,'{"role":"user","time":{"created":1789978043729},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[{"file":"data/catalogue.json","patch":"Index: data/catalogue.json\n===================================================================\n--- data/catalogue.json\t\n+++ data/catalogue.json\t\n@@ -1,1 +1,1 @@\n-[]\n+[{ \"sku\": \"jacket-01\", \"zh\": \"冬季外套\", \"en\": \"Winter jacket\", \"cents\": 12900 }]\n","additions":1,"deletions":1,"status":"modified"}]}}');
INSERT INTO "message" VALUES('msg_1fc479402001VuXoAVTUg4vcxe','ses_e03b86f5affeQcClvwcXu2tieF',1789978090289,1789978146749,'{"parentID":"msg_1fc4790fa001IzJnMqBzDqkNG7","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1789978090289,"completed":1789978146689},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_1fc4797b2001gk7e0ReOq0G2tt','ses_e03b86f5affeQcClvwcXu2tieF',1789978146929,1789978158269,'{"parentID":"msg_1fc4790fa001IzJnMqBzDqkNG7","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1789978146929,"completed":1789978158209},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_1fc479871001x1vCawHadnp3vk','ses_e03b86f5affeQcClvwcXu2tieF',1789978158389,1789978167569,'{"parentID":"msg_1fc4790fa001IzJnMqBzDqkNG7","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1789978158389,"completed":1789978167509},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_1fc479e9f001rOZQMY4uzoFrfV','ses_e03b86f5affeQcClvwcXu2tieF',1789978253309,1789978301069,'{"role":"user","time":{"created":1789978253309},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_1fc47a1750010ipaON4WKmTT6A','ses_e03b86f5affeQcClvwcXu2tieF',1789978296929,1789978348709,'{"parentID":"msg_1fc479e9f001rOZQMY4uzoFrfV","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1789978296929,"completed":1789978348589},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_1fc47ab00001IxCHbDbRSLSO7q','ses_e03b86f5affeQcClvwcXu2tieF',1789978443449,1789978496489,'{"role":"user","time":{"created":1789978443449},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_1fc47ae25001YtKViVpgx7aKlG','ses_e03b86f5affeQcClvwcXu2tieF',1789978491749,1789978551149,'{"parentID":"msg_1fc47ab00001IxCHbDbRSLSO7q","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1789978491749,"completed":1789978551089},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_1fc47bae5001s7n3TQ0AuMrett','ses_e03b86f5affeQcClvwcXu2tieF',1789978687589,1789978770329,'{"role":"user","time":{"created":1789978687589},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_1fc47bfd0001pvNrW35I56Je4h','ses_e03b86f5affeQcClvwcXu2tieF',1789978763129,1789978841429,'{"parentID":"msg_1fc47bae5001s7n3TQ0AuMrett","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1789978763129,"completed":1789978841369},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_1fc498cba001KAkgxnzblk8dqD','ses_e03b675bdffeIzI8T94hc2NCml',1793618447857,1793618804917,'{"role":"user","time":{"created":1793618447857},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[{"file":"internal/config/config.go","patch":"Index: internal/config/config.go\n===================================================================\n--- internal/config/config.go\t\n+++ internal/config/config.go\t\n@@ -1,3 +1,3 @@\n package config\n \n-// to be written\n+// Load reads config.toml.\n","additions":1,"deletions":1,"status":"modified"}]}}');
INSERT INTO "message" VALUES('msg_1fc4997e9001K3TG1Ae5usu5FV','ses_e03b675bdffeIzI8T94hc2NCml',1793618619637,1793618754337,'{"parentID":"msg_1fc498cba001KAkgxnzblk8dqD","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/otter","root":"/home/dev/otter"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1793618619637,"completed":1793618754217},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_1fc49a0b2001bz7N3nDVf5ZUKi','ses_e03b675bdffeIzI8T94hc2NCml',1793618754577,1793618770477,'{"parentID":"msg_1fc498cba001KAkgxnzblk8dqD","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/otter","root":"/home/dev/otter"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1793618754577,"completed":1793618770477},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_1fc49a1be001HKUDEKsBu5PoC5','ses_e03b675bdffeIzI8T94hc2NCml',1793618770657,1793618792437,'{"parentID":"msg_1fc498cba001KAkgxnzblk8dqD","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/otter","root":"/home/dev/otter"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1793618770657,"completed":1793618792317},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_1fc49a32c001rpfoYKAGE1mzGT','ses_e03b675bdffeIzI8T94hc2NCml',1793618792617,1793618813737,'{"parentID":"msg_1fc498cba001KAkgxnzblk8dqD","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/otter","root":"/home/dev/otter"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1793618792617,"completed":1793618813677},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_1fc49b20d001Fk5aLeKp1lfVlu','ses_e03b675bdffeIzI8T94hc2NCml',1793619021157,1793619151057,'{"role":"user","time":{"created":1793619021157},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_1fc49b9c70018TSb2oOv4cPY40','ses_e03b675bdffeIzI8T94hc2NCml',1793619139837,1793619259237,'{"parentID":"msg_1fc49b20d001Fk5aLeKp1lfVlu","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/otter","root":"/home/dev/otter"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1793619139837,"completed":1793619259117},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_1fc49ce760017CsH23C3NI8Rj7','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235221691,1794235468111,'{"role":"user","time":{"created":1794235221691},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[{"file":"src/footer.ts","patch":"Index: src/footer.ts\n===================================================================\n--- src/footer.ts\t\n+++ src/footer.ts\t\n@@ -1,3 +1,3 @@\n export function footer(): string {\n-  return \"\";\n+  return \"Free shipping from 50 EUR, free returns for 30 days\";\n }\n","additions":1,"deletions":1,"status":"modified"}]}}');
INSERT INTO "message" VALUES('msg_1fc49d39a001EivfFVZNHx1cWA','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235300651,1794235435411,'{"parentID":"msg_1fc49ce760017CsH23C3NI8Rj7","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1794235300651,"completed":1794235435291},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_1fc49dc64001wSTbMbfRjqkvaJ','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235435651,1794235457431,'{"parentID":"msg_1fc49ce760017CsH23C3NI8Rj7","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1794235435651,"completed":1794235457311},"finish":"tool-calls"}');
INSERT INTO "message" VALUES('msg_1fc49ddd3001GtMGNvf3vya0RI','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235457671,1794235473751,'{"parentID":"msg_1fc49ce760017CsH23C3NI8Rj7","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1794235457671,"completed":1794235473631},"finish":"stop"}');
INSERT INTO "message" VALUES('msg_1fc49e5a9001Abh2aTHsEJJ2lE','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235578031,1794235649011,'{"role":"user","time":{"created":1794235578031},"agent":"build","model":{"providerID":"scripted","modelID":"scripted"},"summary":{"diffs":[]}}');
INSERT INTO "message" VALUES('msg_1fc49ea06001gvyfBbBE2qOCOe','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235645051,1794235729651,'{"parentID":"msg_1fc49e5a9001Abh2aTHsEJJ2lE","role":"assistant","mode":"build","agent":"build","path":{"cwd":"/home/dev/heron","root":"/home/dev/heron"},"cost":0,"tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"modelID":"scripted","providerID":"scripted","time":{"created":1794235645051,"completed":1794235729351},"finish":"stop"}');
CREATE TABLE "migration" (id TEXT PRIMARY KEY, time_completed INTEGER NOT NULL);
CREATE TABLE `part` (
          `id` text PRIMARY KEY,
          `message_id` text NOT NULL,
          `session_id` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
        );
INSERT INTO "part" VALUES('prt_1fc47910100121aktipYO1CWop','msg_1fc4790fa001IzJnMqBzDqkNG7','ses_e03b86f5affeQcClvwcXu2tieF',1789978088849,1789978088969,'{"type":"text","text":"\"Put the winter jackets into the catalogue. 记住：所有商品文案都要有中文和英文两个版本，缺一个就不能上线。\""}');
INSERT INTO "part" VALUES('prt_1fc47973d0012x3AL1xcRNNv0F','msg_1fc479402001VuXoAVTUg4vcxe','ses_e03b86f5affeQcClvwcXu2tieF',1789978139909,1789978140029,'{"snapshot":"89d858cc906cfd0884b77eb5791f708f3d7cb831","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc479741001qXGGEp801FtHas','msg_1fc479402001VuXoAVTUg4vcxe','ses_e03b86f5affeQcClvwcXu2tieF',1789978140149,1789978142849,'{"type":"tool","tool":"read","callID":"call_0009_0","state":{"status":"completed","input":{"filePath":"/home/dev/heron/data/catalogue.json"},"output":"<path>/home/dev/heron/data/catalogue.json</path>\n<type>file</type>\n<content>\n1: []\n\n(End of file - total 1 lines)\n</content>","metadata":{"preview":"[]","truncated":false,"loaded":[],"display":{"type":"file","path":"/home/dev/heron/data/catalogue.json","text":"[]","lineStart":1,"lineEnd":1,"totalLines":1,"truncated":false}},"title":"data/catalogue.json","time":{"start":1789978140689,"end":1789978142729}}}');
INSERT INTO "part" VALUES('prt_1fc47978c001l145YVC3mrrIxw','msg_1fc479402001VuXoAVTUg4vcxe','ses_e03b86f5affeQcClvwcXu2tieF',1789978144709,1789978144829,'{"reason":"tool-calls","snapshot":"89d858cc906cfd0884b77eb5791f708f3d7cb831","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc4797f4001u7v72AeLYyX6iU','msg_1fc4797b2001gk7e0ReOq0G2tt','ses_e03b86f5affeQcClvwcXu2tieF',1789978150889,1789978151009,'{"snapshot":"89d858cc906cfd0884b77eb5791f708f3d7cb831","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc4797f70017vzV1HFTpcOzLk','msg_1fc4797b2001gk7e0ReOq0G2tt','ses_e03b86f5affeQcClvwcXu2tieF',1789978151069,1789978153109,'{"type":"tool","tool":"edit","callID":"call_0010_0","state":{"status":"completed","input":{"filePath":"/home/dev/heron/data/catalogue.json","oldString":"[]","newString":"[{ \"sku\": \"jacket-01\", \"zh\": \"冬季外套\", \"en\": \"Winter jacket\", \"cents\": 12900 }]"},"output":"Edit applied successfully.","metadata":{"diagnostics":{},"diff":"Index: /home/dev/heron/data/catalogue.json\n===================================================================\n--- /home/dev/heron/data/catalogue.json\n+++ /home/dev/heron/data/catalogue.json\n@@ -1,1 +1,1 @@\n-[]\n+[{ \"sku\": \"jacket-01\", \"zh\": \"冬季外套\", \"en\": \"Winter jacket\", \"cents\": 12900 }]\n","filediff":{"file":"/home/dev/heron/data/catalogue.json","patch":"Index: /home/dev/heron/data/catalogue.json\n===================================================================\n--- /home/dev/heron/data/catalogue.json\n+++ /home/dev/heron/data/catalogue.json\n@@ -1,1 +1,1 @@\n-[]\n+[{ \"sku\": \"jacket-01\", \"zh\": \"冬季外套\", \"en\": \"Winter jacket\", \"cents\": 12900 }]\n","additions":1,"deletions":1},"truncated":false},"title":"data/catalogue.json","time":{"start":1789978151429,"end":1789978153109}}}');
INSERT INTO "part" VALUES('prt_1fc479848001MRrtrMuf7rXHKW','msg_1fc4797b2001gk7e0ReOq0G2tt','ses_e03b86f5affeQcClvwcXu2tieF',1789978155929,1789978156049,'{"reason":"tool-calls","snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc47986b001JbB2zLaMsSiHkn','msg_1fc4797b2001gk7e0ReOq0G2tt','ses_e03b86f5affeQcClvwcXu2tieF',1789978158029,1789978158089,'{"type":"patch","hash":"89d858cc906cfd0884b77eb5791f708f3d7cb831","files":["/home/dev/heron/data/catalogue.json"]}');
INSERT INTO "part" VALUES('prt_1fc4798bb001XJm0A71KbA1d8O','msg_1fc479871001x1vCawHadnp3vk','ses_e03b86f5affeQcClvwcXu2tieF',1789978162829,1789978162889,'{"snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc4798be001UOyo5UutIW5dXE','msg_1fc479871001x1vCawHadnp3vk','ses_e03b86f5affeQcClvwcXu2tieF',1789978163009,1789978163429,'{"type":"text","text":"The first winter jacket is in, with Chinese and English copy.","time":{"start":1789978163009,"end":1789978163309}}');
INSERT INTO "part" VALUES('prt_1fc4798f4001D22bv1aohj2bTN','msg_1fc479871001x1vCawHadnp3vk','ses_e03b86f5affeQcClvwcXu2tieF',1789978166249,1789978166369,'{"reason":"stop","snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc479ea2001GE5WUJIlaSNd0R','msg_1fc479e9f001rOZQMY4uzoFrfV','ses_e03b86f5affeQcClvwcXu2tieF',1789978295789,1789978295909,'{"type":"text","text":"\"The designs are at https://figma.example/file/heron-2026, only the page Checkout v2 is valid.\""}');
INSERT INTO "part" VALUES('prt_1fc47a4630013s7iLzBGYvGUmr','msg_1fc47a1750010ipaON4WKmTT6A','ses_e03b86f5affeQcClvwcXu2tieF',1789978341869,1789978341989,'{"snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc47a467001NbTnFJ6YYf2p3z','msg_1fc47a1750010ipaON4WKmTT6A','ses_e03b86f5affeQcClvwcXu2tieF',1789978342169,1789978342589,'{"type":"text","text":"I will work from Checkout v2.","time":{"start":1789978342169,"end":1789978342529}}');
INSERT INTO "part" VALUES('prt_1fc47a499001yJ1joITZqJmKvW','msg_1fc47a1750010ipaON4WKmTT6A','ses_e03b86f5affeQcClvwcXu2tieF',1789978345109,1789978345169,'{"reason":"stop","snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc47ab02001CXedu9gsivVB0v','msg_1fc47ab00001IxCHbDbRSLSO7q','ses_e03b86f5affeQcClvwcXu2tieF',1789978490489,1789978490609,'{"type":"text","text":"\"Please don''t remember this: for the investor demo on Thursday the catalogue comes from a fake feed on port 4999.\""}');
INSERT INTO "part" VALUES('prt_1fc47b186001ikGpsKKriVBIqk','msg_1fc47ae25001YtKViVpgx7aKlG','ses_e03b86f5affeQcClvwcXu2tieF',1789978543649,1789978543769,'{"snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc47b18b001V9g8ZiUBurOsxW','msg_1fc47ae25001YtKViVpgx7aKlG','ses_e03b86f5affeQcClvwcXu2tieF',1789978543949,1789978544369,'{"type":"text","text":"It stays between us.","time":{"start":1789978543949,"end":1789978544189}}');
INSERT INTO "part" VALUES('prt_1fc47b1d3001jJWhzfUnZipi93','msg_1fc47ae25001YtKViVpgx7aKlG','ses_e03b86f5affeQcClvwcXu2tieF',1789978548269,1789978548389,'{"reason":"stop","snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc47bae7001xyimdq8n1c9Msw','msg_1fc47bae5001s7n3TQ0AuMrett','ses_e03b86f5affeQcClvwcXu2tieF',1789978761389,1789978761509,'{"type":"text","text":"\"Staging is down at the moment, so leave out the end-to-end tests.\""}');
INSERT INTO "part" VALUES('prt_1fc47c405001tHnoqaMZa3S5TW','msg_1fc47bfd0001pvNrW35I56Je4h','ses_e03b86f5affeQcClvwcXu2tieF',1789978827749,1789978827869,'{"snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc47c40a001L7vxgAGwxyt5h6','msg_1fc47bfd0001pvNrW35I56Je4h','ses_e03b86f5affeQcClvwcXu2tieF',1789978828049,1789978828829,'{"type":"text","text":"Left out.","time":{"start":1789978828049,"end":1789978828709}}');
INSERT INTO "part" VALUES('prt_1fc47c4b4001EkZ5TGLrUssAUS','msg_1fc47bfd0001pvNrW35I56Je4h','ses_e03b86f5affeQcClvwcXu2tieF',1789978838309,1789978838369,'{"reason":"stop","snapshot":"cf65676c23ddd3910d1a7f79f2d703cb6dadb419","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc498ccd001MYClnVmPalKiXB','msg_1fc498cba001KAkgxnzblk8dqD','ses_e03b675bdffeIzI8T94hc2NCml',1793618617297,1793618617477,'{"type":"text","text":"\"Write the config loader. We chose TOML over YAML for the config file, because YAML read Norway''s country code as false.\""}');
INSERT INTO "part" VALUES('prt_1fc499fcb001GkZ4l3DIieICj0','msg_1fc4997e9001K3TG1Ae5usu5FV','ses_e03b675bdffeIzI8T94hc2NCml',1793618740717,1793618740837,'{"snapshot":"5edc09e5c2a6bb478c357be2908282a2459fda92","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc499fd0001KK4rc1RHpbGcxJ','msg_1fc4997e9001K3TG1Ae5usu5FV','ses_e03b675bdffeIzI8T94hc2NCml',1793618741017,1793618749177,'{"type":"tool","tool":"bash","callID":"call_0022_0","state":{"status":"completed","input":{"command":"cat internal/config/config.go","description":"Run a command"},"output":"package config\n\n// to be written\n","metadata":{"output":"package config\n\n// to be written\n","exit":0,"truncated":false},"title":"cat internal/config/config.go","time":{"start":1793618741737,"end":1793618749117}}}');
INSERT INTO "part" VALUES('prt_1fc49a084001MSJND3MTXAk74S','msg_1fc4997e9001K3TG1Ae5usu5FV','ses_e03b675bdffeIzI8T94hc2NCml',1793618751877,1793618751937,'{"reason":"tool-calls","snapshot":"5edc09e5c2a6bb478c357be2908282a2459fda92","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49a121001CZhWOGo2lFBS3G','msg_1fc49a0b2001bz7N3nDVf5ZUKi','ses_e03b675bdffeIzI8T94hc2NCml',1793618761237,1793618761297,'{"snapshot":"5edc09e5c2a6bb478c357be2908282a2459fda92","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49a123001GrY3Fx71USZLNd','msg_1fc49a0b2001bz7N3nDVf5ZUKi','ses_e03b675bdffeIzI8T94hc2NCml',1793618761417,1793618764657,'{"type":"tool","tool":"read","callID":"call_0023_0","state":{"status":"completed","input":{"filePath":"/home/dev/otter/internal/config/config.go"},"output":"<path>/home/dev/otter/internal/config/config.go</path>\n<type>file</type>\n<content>\n1: package config\n2: \n3: // to be written\n\n(End of file - total 3 lines)\n</content>","metadata":{"preview":"package config\n\n// to be written","truncated":false,"loaded":[],"display":{"type":"file","path":"/home/dev/otter/internal/config/config.go","text":"package config\n\n// to be written","lineStart":1,"lineEnd":3,"totalLines":3,"truncated":false}},"title":"internal/config/config.go","time":{"start":1793618761777,"end":1793618764597}}}');
INSERT INTO "part" VALUES('prt_1fc49a18c001YrI5Nr6fEHKsc3','msg_1fc49a0b2001bz7N3nDVf5ZUKi','ses_e03b675bdffeIzI8T94hc2NCml',1793618767657,1793618767717,'{"reason":"tool-calls","snapshot":"5edc09e5c2a6bb478c357be2908282a2459fda92","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49a222001Mhx0KWQPRecpMv','msg_1fc49a1be001HKUDEKsBu5PoC5','ses_e03b675bdffeIzI8T94hc2NCml',1793618776657,1793618776717,'{"snapshot":"5edc09e5c2a6bb478c357be2908282a2459fda92","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49a225001lQzFder0DldZcA','msg_1fc49a1be001HKUDEKsBu5PoC5','ses_e03b675bdffeIzI8T94hc2NCml',1793618776837,1793618777917,'{"type":"tool","tool":"edit","callID":"call_0024_0","state":{"status":"completed","input":{"filePath":"/home/dev/otter/internal/config/config.go","oldString":"// to be written","newString":"// Load reads config.toml."},"output":"Edit applied successfully.","metadata":{"diagnostics":{},"diff":"Index: /home/dev/otter/internal/config/config.go\n===================================================================\n--- /home/dev/otter/internal/config/config.go\n+++ /home/dev/otter/internal/config/config.go\n@@ -1,3 +1,3 @@\n package config\n \n-// to be written\n+// Load reads config.toml.\n","filediff":{"file":"/home/dev/otter/internal/config/config.go","patch":"Index: /home/dev/otter/internal/config/config.go\n===================================================================\n--- /home/dev/otter/internal/config/config.go\n+++ /home/dev/otter/internal/config/config.go\n@@ -1,3 +1,3 @@\n package config\n \n-// to be written\n+// Load reads config.toml.\n","additions":1,"deletions":1},"truncated":false},"title":"internal/config/config.go","time":{"start":1793618777197,"end":1793618777917}}}');
INSERT INTO "part" VALUES('prt_1fc49a2be0016IaDZ2r1fzZHmE','msg_1fc49a1be001HKUDEKsBu5PoC5','ses_e03b675bdffeIzI8T94hc2NCml',1793618786017,1793618786077,'{"reason":"tool-calls","snapshot":"d4d634039ae70bacf3b7c6fbba790292544be0f4","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49a323001LBJXxIStI1e7yx','msg_1fc49a1be001HKUDEKsBu5PoC5','ses_e03b675bdffeIzI8T94hc2NCml',1793618792077,1793618792257,'{"type":"patch","hash":"5edc09e5c2a6bb478c357be2908282a2459fda92","files":["/home/dev/otter/internal/config/config.go"]}');
INSERT INTO "part" VALUES('prt_1fc49a3be001nmh1fgRM4NFioH','msg_1fc49a32c001rpfoYKAGE1mzGT','ses_e03b675bdffeIzI8T94hc2NCml',1793618801377,1793618801497,'{"snapshot":"d4d634039ae70bacf3b7c6fbba790292544be0f4","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49a3c2001x1tQpMjEQaueed','msg_1fc49a32c001rpfoYKAGE1mzGT','ses_e03b675bdffeIzI8T94hc2NCml',1793618801617,1793618802697,'{"type":"text","text":"The loader is written.\n\nMemory candidates:\n- [project] otter looks for config.toml in $XDG_CONFIG_HOME/otter first and in /etc/otter after that\n- [project] All 31 tests pass and step 2 is completed\n- [project] Currently working on internal/config/config.go\n- [decision] It is still undecided whether environment variables override the file\n- [project] fix(config): read config.toml 4832b38\n- [project] panic: runtime error: invalid memory address or nil pointer dereference","time":{"start":1793618801617,"end":1793618802577}}');
INSERT INTO "part" VALUES('prt_1fc49a439001iiVUuVwia2qynj','msg_1fc49a32c001rpfoYKAGE1mzGT','ses_e03b675bdffeIzI8T94hc2NCml',1793618808757,1793618808877,'{"reason":"stop","snapshot":"d4d634039ae70bacf3b7c6fbba790292544be0f4","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49b22b001DJlX5DKkx4Q02d','msg_1fc49b20d001Fk5aLeKp1lfVlu','ses_e03b675bdffeIzI8T94hc2NCml',1793619137077,1793619137497,'{"type":"text","text":"\"Customer data has to stay in Frankfurt, that is in every contract.\""}');
INSERT INTO "part" VALUES('prt_1fc49c0aa001njyjknVId3QsiG','msg_1fc49b9c70018TSb2oOv4cPY40','ses_e03b675bdffeIzI8T94hc2NCml',1793619245617,1793619246457,'{"snapshot":"d4d634039ae70bacf3b7c6fbba790292544be0f4","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49c0bb001rJET85WcCb8xLZ','msg_1fc49b9c70018TSb2oOv4cPY40','ses_e03b675bdffeIzI8T94hc2NCml',1793619246637,1793619248977,'{"type":"text","text":"Then the crash reporter needs an EU endpoint as well.","time":{"start":1793619246637,"end":1793619248077}}');
INSERT INTO "part" VALUES('prt_1fc49c149001TZezIXAK1TJH97','msg_1fc49b9c70018TSb2oOv4cPY40','ses_e03b675bdffeIzI8T94hc2NCml',1793619255157,1793619255277,'{"reason":"stop","snapshot":"d4d634039ae70bacf3b7c6fbba790292544be0f4","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49ce810010q2TazWkLGjBWb','msg_1fc49ce760017CsH23C3NI8Rj7','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235298551,1794235298731,'{"type":"text","text":"\"Write the footer. Free shipping starts at 50 EUR, and returns are free for 30 days.\""}');
INSERT INTO "part" VALUES('prt_1fc49dbb40019gdyPPqjrqoVe3','msg_1fc49d39a001EivfFVZNHx1cWA','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235425091,1794235425211,'{"snapshot":"a8d42f37da6ea883a78e43dadfbfc6a8e962773f","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49dbb9001F0BL7tEY0meQ2k','msg_1fc49d39a001EivfFVZNHx1cWA','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235425451,1794235428991,'{"type":"tool","tool":"read","callID":"call_0028_0","state":{"status":"completed","input":{"filePath":"/home/dev/heron/src/footer.ts"},"output":"<path>/home/dev/heron/src/footer.ts</path>\n<type>file</type>\n<content>\n1: export function footer(): string {\n2:   return \"\";\n3: }\n\n(End of file - total 3 lines)\n</content>","metadata":{"preview":"export function footer(): string {\n  return \"\";\n}","truncated":false,"loaded":[],"display":{"type":"file","path":"/home/dev/heron/src/footer.ts","text":"export function footer(): string {\n  return \"\";\n}","lineStart":1,"lineEnd":3,"totalLines":3,"truncated":false}},"title":"src/footer.ts","time":{"start":1794235426291,"end":1794235428871}}}');
INSERT INTO "part" VALUES('prt_1fc49dc2c0011eTVeQXxYywjol','msg_1fc49d39a001EivfFVZNHx1cWA','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235432351,1794235432471,'{"reason":"tool-calls","snapshot":"a8d42f37da6ea883a78e43dadfbfc6a8e962773f","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49dce60014ZaP4n0SgpmAHc','msg_1fc49dc64001wSTbMbfRjqkvaJ','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235443451,1794235443571,'{"snapshot":"a8d42f37da6ea883a78e43dadfbfc6a8e962773f","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49dcea001HqGugEJnEzKxHX','msg_1fc49dc64001wSTbMbfRjqkvaJ','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235443691,1794235447711,'{"type":"tool","tool":"edit","callID":"call_0029_0","state":{"status":"completed","input":{"filePath":"/home/dev/heron/src/footer.ts","oldString":"return \"\";","newString":"return \"Free shipping from 50 EUR, free returns for 30 days\";"},"output":"Edit applied successfully.","metadata":{"diagnostics":{},"diff":"Index: /home/dev/heron/src/footer.ts\n===================================================================\n--- /home/dev/heron/src/footer.ts\n+++ /home/dev/heron/src/footer.ts\n@@ -1,3 +1,3 @@\n export function footer(): string {\n-  return \"\";\n+  return \"Free shipping from 50 EUR, free returns for 30 days\";\n }\n","filediff":{"file":"/home/dev/heron/src/footer.ts","patch":"Index: /home/dev/heron/src/footer.ts\n===================================================================\n--- /home/dev/heron/src/footer.ts\n+++ /home/dev/heron/src/footer.ts\n@@ -1,3 +1,3 @@\n export function footer(): string {\n-  return \"\";\n+  return \"Free shipping from 50 EUR, free returns for 30 days\";\n }\n","additions":1,"deletions":1},"truncated":false},"title":"src/footer.ts","time":{"start":1794235444351,"end":1794235447591}}}');
INSERT INTO "part" VALUES('prt_1fc49dd83001rOpiwlrSF1diF0','msg_1fc49dc64001wSTbMbfRjqkvaJ','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235452871,1794235452991,'{"reason":"tool-calls","snapshot":"38a7ffe6d0b4e6473a797dec4ce6ff03f6505e26","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49ddc9001NzYotYh5ogzL2Q','msg_1fc49dc64001wSTbMbfRjqkvaJ','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235457071,1794235457191,'{"type":"patch","hash":"a8d42f37da6ea883a78e43dadfbfc6a8e962773f","files":["/home/dev/heron/src/footer.ts"]}');
INSERT INTO "part" VALUES('prt_1fc49de50001QtE8y3awuSAa1F','msg_1fc49ddd3001GtMGNvf3vya0RI','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235465171,1794235465291,'{"snapshot":"38a7ffe6d0b4e6473a797dec4ce6ff03f6505e26","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49de550010jF4rvSxqGRYRp','msg_1fc49ddd3001GtMGNvf3vya0RI','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235465471,1794235465951,'{"type":"text","text":"The footer has both texts.","time":{"start":1794235465471,"end":1794235465831}}');
INSERT INTO "part" VALUES('prt_1fc49dea5001xvYRM2IUJwfnpQ','msg_1fc49ddd3001GtMGNvf3vya0RI','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235470331,1794235470391,'{"reason":"stop","snapshot":"38a7ffe6d0b4e6473a797dec4ce6ff03f6505e26","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
INSERT INTO "part" VALUES('prt_1fc49e5ab0015XHbHfxBnon4B7','msg_1fc49e5a9001Abh2aTHsEJJ2lE','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235643551,1794235643671,'{"type":"text","text":"\"I work from Utrecht, so write dates to me with the day first.\""}');
INSERT INTO "part" VALUES('prt_1fc49ee56001fSst0sr2qzHNGR','msg_1fc49ea06001gvyfBbBE2qOCOe','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235711291,1794235711411,'{"snapshot":"38a7ffe6d0b4e6473a797dec4ce6ff03f6505e26","type":"step-start"}');
INSERT INTO "part" VALUES('prt_1fc49ee620016ALdMzEJyKxyKb','msg_1fc49ea06001gvyfBbBE2qOCOe','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235712071,1794235713331,'{"type":"text","text":"As you like: 9 November.","time":{"start":1794235712071,"end":1794235713211}}');
INSERT INTO "part" VALUES('prt_1fc49eefe001ofl4YBVsYyYVkk','msg_1fc49ea06001gvyfBbBE2qOCOe','ses_e03b63258ffeiLMWEmcdOSUhV7',1794235721371,1794235721731,'{"reason":"stop","snapshot":"38a7ffe6d0b4e6473a797dec4ce6ff03f6505e26","type":"step-finish","tokens":{"total":1260,"input":1100,"output":60,"reasoning":0,"cache":{"write":0,"read":100}},"cost":0}');
CREATE TABLE `permission` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `action` text NOT NULL,
          `resource` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `fk_permission_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `project` (
          `id` text PRIMARY KEY,
          `worktree` text NOT NULL,
          `vcs` text,
          `name` text,
          `icon_url` text,
          `icon_url_override` text,
          `icon_color` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_initialized` integer,
          `sandboxes` text NOT NULL,
          `commands` text
        );
INSERT INTO "project" VALUES('eed970345de571d3ff20b7c359d2c4a8b8827254','/home/dev/heron','git',NULL,NULL,NULL,NULL,1789978012709,1794235549471,NULL,'[]',NULL);
INSERT INTO "project" VALUES('d280f322edbab97621aaf10668f470eeb742f6c6','/home/dev/otter','git',NULL,NULL,NULL,NULL,1793618343217,1793618953357,NULL,'[]',NULL);
CREATE TABLE `project_directory` (
          `project_id` text NOT NULL,
          `directory` text NOT NULL,
          `type` text,
          `strategy` text,
          `time_created` integer NOT NULL,
          CONSTRAINT `project_directory_pk` PRIMARY KEY(`project_id`, `directory`),
          CONSTRAINT `fk_project_directory_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
INSERT INTO "project_directory" VALUES('eed970345de571d3ff20b7c359d2c4a8b8827254','/home/dev/heron',NULL,NULL,1789978012889);
INSERT INTO "project_directory" VALUES('d280f322edbab97621aaf10668f470eeb742f6c6','/home/dev/otter',NULL,NULL,1793618343577);
CREATE TABLE `session` (
          `id` text PRIMARY KEY,
          `project_id` text NOT NULL,
          `workspace_id` text,
          `parent_id` text,
          `slug` text NOT NULL,
          `directory` text NOT NULL,
          `path` text,
          `title` text NOT NULL,
          `version` text NOT NULL,
          `share_url` text,
          `summary_additions` integer,
          `summary_deletions` integer,
          `summary_files` integer,
          `summary_diffs` text,
          `metadata` text,
          `cost` real DEFAULT 0 NOT NULL,
          `tokens_input` integer DEFAULT 0 NOT NULL,
          `tokens_output` integer DEFAULT 0 NOT NULL,
          `tokens_reasoning` integer DEFAULT 0 NOT NULL,
          `tokens_cache_read` integer DEFAULT 0 NOT NULL,
          `tokens_cache_write` integer DEFAULT 0 NOT NULL,
          `revert` text,
          `permission` text,
          `agent` text,
          `model` text,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `time_compacting` integer,
          `time_archived` integer,
          CONSTRAINT `fk_session_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
INSERT INTO "session" VALUES('ses_e03b86f5affeQcClvwcXu2tieF','eed970345de571d3ff20b7c359d2c4a8b8827254',NULL,NULL,'shiny-pixel','/home/dev/heron','','Scripted title: "Put the winter jackets into the catalog','1.18.33',NULL,0,0,0,NULL,NULL,0.0,6600,360,0,600,0,NULL,'[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]','build','{"id":"scripted","providerID":"scripted","variant":"default"}',1789978038629,1789978842029,NULL,NULL);
INSERT INTO "session" VALUES('ses_e03b675bdffeIzI8T94hc2NCml','d280f322edbab97621aaf10668f470eeb742f6c6',NULL,NULL,'quiet-river','/home/dev/otter','','Scripted title: "Write the config loader. We chose TOML','1.18.33',NULL,0,0,0,NULL,NULL,0.0,5500,300,0,500,0,NULL,'[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]','build','{"id":"scripted","providerID":"scripted","variant":"default"}',1793618409937,1793619259657,NULL,NULL);
INSERT INTO "session" VALUES('ses_e03b63258ffeiLMWEmcdOSUhV7','eed970345de571d3ff20b7c359d2c4a8b8827254',NULL,NULL,'swift-cabin','/home/dev/heron','','Scripted title: "Write the footer. Free shipping starts','1.18.33',NULL,0,0,0,NULL,NULL,0.0,4400,240,0,400,0,NULL,'[{"permission":"question","pattern":"*","action":"deny"},{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]','build','{"id":"scripted","providerID":"scripted","variant":"default"}',1794235209271,1794235730731,NULL,NULL);
CREATE TABLE `session_context_epoch` (
          `session_id` text PRIMARY KEY,
          `baseline` text NOT NULL,
          `snapshot` text NOT NULL,
          `baseline_seq` integer NOT NULL,
          CONSTRAINT `fk_session_context_epoch_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session_input` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `prompt` text NOT NULL,
          `delivery` text NOT NULL,
          `admitted_seq` integer NOT NULL,
          `promoted_seq` integer,
          `time_created` integer NOT NULL,
          CONSTRAINT `fk_session_input_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session_message` (
          `id` text PRIMARY KEY,
          `session_id` text NOT NULL,
          `type` text NOT NULL,
          `seq` integer NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          `data` text NOT NULL,
          CONSTRAINT `fk_session_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `session_share` (
          `session_id` text PRIMARY KEY,
          `id` text NOT NULL,
          `secret` text NOT NULL,
          `url` text NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `fk_session_share_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `todo` (
          `session_id` text NOT NULL,
          `content` text NOT NULL,
          `status` text NOT NULL,
          `priority` text NOT NULL,
          `position` integer NOT NULL,
          `time_created` integer NOT NULL,
          `time_updated` integer NOT NULL,
          CONSTRAINT `todo_pk` PRIMARY KEY(`session_id`, `position`),
          CONSTRAINT `fk_todo_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
        );
CREATE TABLE `workspace` (
          `id` text PRIMARY KEY,
          `type` text NOT NULL,
          `name` text DEFAULT '' NOT NULL,
          `branch` text,
          `directory` text,
          `extra` text,
          `project_id` text NOT NULL,
          `time_used` integer NOT NULL,
          CONSTRAINT `fk_workspace_project_id_project_id_fk` FOREIGN KEY (`project_id`) REFERENCES `project`(`id`) ON DELETE CASCADE
        );
CREATE UNIQUE INDEX `event_aggregate_seq_idx` ON `event` (`aggregate_id`,`seq`);
CREATE INDEX `event_aggregate_type_seq_idx` ON `event` (`aggregate_id`,`type`,`seq`);
CREATE UNIQUE INDEX `permission_project_action_resource_idx` ON `permission` (`project_id`,`action`,`resource`);
CREATE INDEX `message_session_time_created_id_idx` ON `message` (`session_id`,`time_created`,`id`);
CREATE INDEX `part_message_id_id_idx` ON `part` (`message_id`,`id`);
CREATE INDEX `part_session_idx` ON `part` (`session_id`);
CREATE INDEX `session_input_session_pending_delivery_seq_idx` ON `session_input` (`session_id`,`promoted_seq`,`delivery`,`admitted_seq`);
CREATE UNIQUE INDEX `session_input_session_admitted_seq_idx` ON `session_input` (`session_id`,`admitted_seq`);
CREATE UNIQUE INDEX `session_input_session_promoted_seq_idx` ON `session_input` (`session_id`,`promoted_seq`);
CREATE UNIQUE INDEX `session_message_session_seq_idx` ON `session_message` (`session_id`,`seq`);
CREATE INDEX `session_message_session_type_seq_idx` ON `session_message` (`session_id`,`type`,`seq`);
CREATE INDEX `session_message_session_time_created_id_idx` ON `session_message` (`session_id`,`time_created`,`id`);
CREATE INDEX `session_message_time_created_idx` ON `session_message` (`time_created`);
CREATE INDEX `session_project_idx` ON `session` (`project_id`);
CREATE INDEX `session_workspace_idx` ON `session` (`workspace_id`);
CREATE INDEX `session_parent_idx` ON `session` (`parent_id`);
CREATE INDEX `todo_session_idx` ON `todo` (`session_id`);
COMMIT;
