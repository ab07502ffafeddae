// Decides by a name whether its value is a secret.

const SECRET_WORDS = new Set(
  'password passwd pwd pw passphrase passcode pgpassword pass secret token credential credentials passwort kennwort contrasena senha wachtwoord passord haslo heslo lozinka parola salasana'.split(
    ' ',
  ),
);
const SECRET_ENDINGS =
  /(?:password|passwd|secret|(?:api|access|account|private|auth|secret|signing|signature|encryption|storage|subscription|master|shared|service|deploy|jwt|hmac|fernet|webhook)key(?:id)?|connectionstring)$/;

/** Last words of names that say something about a secret and hold none. */
const ABOUT = new Set(
  'file path paths dir url uri endpoint type count counts budget limit limits length len size min max name names field fields expiry expires expiration expired ttl age lifetime policy reset header prefix suffix algorithm index usage used class style label placeholder input form page error errors ref manager provider helper rate rates cost costs ratio total estimate stdin through mode required enabled rotation version strength rules'.split(
    ' ',
  ),
);

/** What every name of a secret has in it. */
export const IN_NAMES =
  '(?:pass|pw|secret|token|credential|key|connectionstring|kennwort|contrasena|senha|wachtwoord|haslo|heslo|lozinka|parola|salasana)';

/** What a password is called where it could be a name in code as well. */
export const PASSWORD_NAMES_ABROAD =
  'passwort|kennwort|contrasena|senha|wachtwoord|passord|haslo|heslo|lozinka|parola|salasana';

/** What a password is called in other languages, in letters that no name in code has, or in several words. */
export const PASSWORD_ABROAD =
  '(?:contraseñas?|mots? de passe|palavra-passe|hasło|hasła|lösenord|şifre|jelszó|пароль|пароля|κωδικός(?: πρόσβασης)?|mật khẩu|kata sandi|密[码碼]|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน|पासवर्ड|كلمة (?:المرور|السر)|סיסמ[הא])';
const MAY_NAME = new RegExp(IN_NAMES, 'i');

/** Whether something of this name is a secret: `DB_PASSWORD`, `apiKey`, `x-api-key`; not `max_tokens`, `tokenUrl`, `PASS`. */
export function isSecretName(name: string): boolean {
  if (!MAY_NAME.test(name)) return false;
  if (name === 'PASS') return false; // of a test
  // Of `token.kind` the kind is meant, of `secret.value` the secret.
  const own =
    name
      .replace(/\.(?:value|data|key|raw)$/i, '')
      .split('.')
      .at(-1) ?? '';
  const words = own.split(/[_-]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
  if (words.length > 1 && ABOUT.has(words.at(-1) ?? '')) return false;
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_ENDINGS.test(words.join(''));
}
