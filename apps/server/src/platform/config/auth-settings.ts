import { both, optional, setting } from './define-setting.ts'
import { bool, folder, home, integer, oneOf, seconds, text } from './parsers.ts'

const YEAR = 31_622_400

export const authSettings = {
  secret: optional({
    names: ['POSTIL_SECRET'],
    parse: text({ min: 16 }),
    secret: true,
    shown: 'generated in the data folder',
    doc: 'Secret, at least 16 characters. Encrypts API keys and webhook secrets, and signs tokens. Required with PostgreSQL. All processes must use the same value.',
  }),
  newSecret: optional({
    names: ['POSTIL_NEW_SECRET'],
    parse: text({ min: 16 }),
    secret: true,
    shown: '',
    doc: 'Replacement for `POSTIL_SECRET`. Only `postil secret change` reads it.',
  }),
  authSecretKey: optional({
    names: both('AUTH_SECRET_KEY'),
    parse: text({ min: 1 }),
    secret: true,
    shown: 'derived from the secret',
    doc: 'Key that signs the bearer tokens from `POST /api/v1/token`.',
  }),
  authAlgorithm: setting({
    names: both('AUTH_ALGORITHM'),
    parse: oneOf('HS256', 'HS384', 'HS512'),
    fallback: 'HS256' as const,
    shown: '`HS256`',
    doc: 'Signature algorithm of bearer tokens: `HS256`, `HS384` or `HS512`.',
  }),
  authTokenSeconds: setting({
    names: both('AUTH_TOKEN_EXPIRATION'),
    parse: integer(1, YEAR),
    fallback: 86_400,
    shown: '`86400`',
    doc: 'Lifetime of a bearer token in seconds.',
  }),
  sessionIdleSeconds: setting({
    names: ['POSTIL_SESSION_IDLE'],
    parse: integer(1, YEAR),
    fallback: 604_800,
    shown: '`604800`',
    doc: 'Number of seconds after which an inactive browser session ends.',
  }),
  sessionMaxSeconds: setting({
    names: ['POSTIL_SESSION_MAX'],
    parse: integer(1, YEAR),
    fallback: 2_592_000,
    shown: '`2592000`',
    doc: 'Number of seconds after which any browser session ends, even if it is in use.',
  }),
  invitationSeconds: setting({
    names: ['POSTIL_INVITATION_EXPIRATION'],
    parse: integer(1, YEAR),
    fallback: 604_800,
    shown: '`604800`',
    doc: 'Number of seconds for which an invitation link works.',
  }),
  passwordLinkSeconds: setting({
    names: ['POSTIL_PASSWORD_LINK_EXPIRATION'],
    parse: integer(1, YEAR),
    fallback: 86_400,
    shown: '`86400`',
    doc: 'Number of seconds for which a reset link works.',
  }),
  secondFactor: setting({
    names: ['POSTIL_SECOND_FACTOR'],
    parse: oneOf('optional', 'owners-and-admins', 'everyone'),
    fallback: 'optional' as const,
    shown: '`optional`',
    doc: 'Who must use two-factor authentication: nobody (`optional`), `owners-and-admins` or `everyone`. Users who do not have it yet must set it up at their next sign-in.',
  }),
  demoUser: optional({
    names: ['POSTIL_DEMO_USER'],
    parse: text({ min: 1 }),
    shown: 'none',
    doc: 'Username of the demo user. Anyone who can open the sign-in page can sign in as this user with a button, without a password. Must be an annotator, not an owner or admin.',
  }),
  signInAttempts: setting({
    names: ['POSTIL_SIGN_IN_ATTEMPTS'],
    parse: integer(1, 1_000_000),
    fallback: 10,
    shown: '`10`',
    doc: 'Number of failed sign-ins for one username from one address after which further attempts must wait.',
  }),
  signInWaitMs: setting({
    names: ['POSTIL_SIGN_IN_WAIT'],
    parse: seconds,
    fallback: 900_000,
    shown: '`900`',
    doc: 'Number of seconds after which the server forgets a failed sign-in. This is also how long users must wait after too many failed sign-ins.',
  }),
  requestsPerMinute: setting({
    names: ['POSTIL_REQUESTS_PER_MINUTE'],
    parse: integer(0, 1_000_000_000),
    fallback: 60_000,
    shown: '`60000`',
    doc: 'Maximum number of API requests per minute that each process accepts from one user. Requests without credentials are counted by address. `0` removes the limit.',
  }),
  oauthFile: setting({
    names: both('AUTH_OAUTH_CFG'),
    parse: folder(home),
    fallback: '.oauth.yaml',
    shown: '`.oauth.yaml`',
    doc: 'YAML file that configures [identity providers](operations.md#identity-providers). If the file is missing, no providers are available.',
  }),
  oauthLinkByUsername: setting({
    names: ['POSTIL_OAUTH_LINK_BY_USERNAME'],
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'If the username of a provider account belongs to an existing user, sign in as this user. Enable this only if users cannot choose their own usernames at the provider.',
  }),
}
