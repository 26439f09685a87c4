"""From memories to fewer and consistent memories, by a plan that code checks (docs/seeds.md C22–C27)."""
