"""What stays: text that looks like a secret, speaks of one or points at one (invariant 8)."""

import pytest

from siltstone.store.redaction import redact

HASH = "0f3a9c27e1b84d65a1b2c3d4e5f60718" + "293a4b5c"
B64 = "K9mW2nR5tY8uP1oL4jH6gF0dSa3Qz7X" + "cVb5Nn2M8+w/E="
UUID = "4f0c2a9e-7d31-4b8a-9c55-0e6a5d1fd0aa"
RUN = "8Kd02LmQpXz71TyV" + "b4Nn6Rr8"
LINES = f"""
Always pin dependencies
password reset flow
oauth: google
auth config uses OAuth
secret manager is not supported
the password is hashed with bcrypt before it is stored
The password is wrong
Passwords must be at least 12 characters long.
Password: at least 12 characters
the token is refreshed every hour
Secret: stored in Vault under kv/app
API key: see 1Password, vault Engineering
the key is under the mat
We pin 2 dependencies
GPIO pin 17
send it as Bearer config.api.session to the host
Bearer docs.example.com answers first
pass the token to the next handler
We pass nact-2 in Python
Das Passwort muss mindestens 12 Zeichen haben.
mot de passe : obligatoire
La contraseña es incorrecta.
пароль: обязательное поле
密码必须至少12个字符
忘记密码？
パスワードは8文字以上必要です
비밀번호를 입력하세요
commit {HASH}
{HASH}  dist/app.tar.gz
{HASH[:7]} Fix token refresh in login
"integrity": "sha512-{B64}",
github.com/foo/bar v1.2.3 h1:{B64}
SHA256:{B64} marit@box
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{B64} marit@box
image: registry.example/app@sha256:{HASH}{HASH[:24]}
session: {UUID}
evidence {{agent: opencode, session: ses_{RUN}, message: msg_{RUN}}}
toolu_01{RUN} cus_{RUN} evt_1N{RUN} req_011{RUN}
data:image/png;base64,{B64}
{B64}
dist/assets/index-DqX3kT9v.js   142.3 kB
https://docs.google.com/document/d/{RUN}{RUN[:20]}/edit
cache key: node-modules-{HASH}
password=<your-password>
OPENAI_API_KEY=your-api-key-here
API_KEY=xxxxxxxxxxxxxxxx
ANTHROPIC_API_KEY=sk-ant-...
token: "[REDACTED]"
password: ********
TOKEN=$TOKEN
password: ${{DB_PASSWORD}}
password: ${{{{ secrets.DB_PASSWORD }}}}
apiKey: process.env.OPENAI_API_KEY,
api_key = os.environ["OPENAI_API_KEY"]
password: string;
password?: string | undefined;
password: Optional[str] = None
password: {{ type: String, required: true }},
const token = await fetchToken(userId);
password = getpass.getpass()
if (password !== confirmPassword) {{
"forgotPassword": "Forgot your password?",
const TOKEN_KEY = "auth_token";
NAMES = ["password", "token", "api_key", "user_id2"]
private_key: PKCS7PrivateKeyTypes,
tokens[pointer+1] == token
max_tokens: 4096
PASSWORD_MIN_LENGTH=12
TOKEN_EXPIRY=3600
POSTGRES_PASSWORD_FILE=/run/secrets/db_password
Authorization: Bearer $TOKEN
headers: {{ Authorization: `Bearer ${{token}}` }},
curl -u "$USER:$PASS" https://example.com
curl -u user:password https://example.com
mysql -u root -p shop
docker run -p 8080:80 nginx
mkdir -p src/store/redaction
ssh -p 2222 host
postgres://user:password@localhost:5432/db
postgres://${{USER}}:${{PASS}}@db/app
https://github.com/org/repo/blob/main/src/auth.ts
git@github.com:org/repo.git
npm install @types/react@18.2.0
--color-token-primary: #1a2b3c;
token: spacing.md.4
ssh -i ~/.ssh/deploy_key deploy@host
"login.password": "Kennwort",
account: larkspur / eu-west-1
secretName: db-credentials
PASS tests/test_password.py::test_login
test_token_99_is_refreshed PASSED
/home/marit/src/tidepool/tests/test_password_reset.py:41
fatal: password authentication failed for user "tide_app"
Set-Cookie: theme=dark; Path=/
var a=b.token,c=d.password;e.setPassword(f),g({{token:a,password:c,key:h}})
AbstractSingletonProxyFactoryBean2
Access tokens: 15-minute JWT, refresh tokens: 7-day
**Refresh token rotation**: Each refresh hands out a new one
**Password hashing**: bcrypt, cost 12
5. **Access Token Security**: keep it out of logs
rawdata[declstartpos:declstartpos+20]
pass force_zip64
pass --debug-nghttp2 to configure
allow the user to pass execution_async_id
:param kwargs: what to pass to the :meth:`Diagram` constructor
a link that you pass: <a href="buffer.html" class="type">Buffer</a>
identified by the `killSignal` property (the default is `'SIGTERM'`) if the process
When passing strings for `password` or `salt`, please consider
uploading a build**
"arn:aws:secretsmanager:us-west-2:123456789012:secret:BillingDatabase-a1b2c3"
    "AWS::ApiGateway::ApiKey": "48205d4f{HASH[:8]}",
'MasterUserPassword', 'StorageEncrypted')
INCS:=$(shell $(PKG_CONFIG) --cflags libsecret-1 glib-2.0)
  /sk-[a-zA-Z0-9]{{48}}/, // an API key
export MASTER_KEY="sk-$(openssl rand -hex 32)"
2013-03-21:514B5D8A.6040705@example.org:
the file begins before "-----BEGIN PRIVATE KEY-----" and ends after "-----END PRIVATE KEY-----"
""".strip().split("\n")


@pytest.mark.parametrize("line", LINES)
def test_benign_text_stays_as_it_is(line: str) -> None:
    assert redact(line).text == line


def test_benign_lines_stay_together_too() -> None:
    text = "\n".join(LINES)
    assert redact(text).text == text
