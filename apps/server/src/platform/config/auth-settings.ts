import { both, optional, setting } from './define-setting.ts'
import { bool, folder, home, integer, oneOf, seconds, text } from './parsers.ts'

const YEAR = 31_622_400

export const authSettings = {
  secret: optional({
    names: ['POSTIL_SECRET'],
    parse: text({ min: 16 }),
    secret: true,
    shown: 'generated in the data folder',
    doc: 'Secret that encrypts API keys and webhook secrets and signs tokens, at least 16 characters. Required with PostgreSQL. Must be the same for every process.',
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
    doc: 'Seconds of inactivity after which a browser session ends.',
  }),
  sessionMaxSeconds: setting({
    names: ['POSTIL_SESSION_MAX'],
    parse: integer(1, YEAR),
    fallback: 2_592_000,
    shown: '`2592000`',
    doc: 'Seconds after which a browser session ends even if it is in use.',
  }),
  secondFactor: setting({
    names: ['POSTIL_SECOND_FACTOR'],
    parse: oneOf('optional', 'owners-and-admins', 'everyone'),
    fallback: 'optional' as const,
    shown: '`optional`',
    doc: 'Who must use two-factor authentication: nobody (`optional`), `owners-and-admins` or `everyone`. Users without it set it up at their next sign-in.',
  }),
  demoUser: optional({
    names: ['POSTIL_DEMO_USER'],
    parse: text({ min: 1 }),
    shown: 'none',
    doc: 'Username of an annotator. Anyone who can open the sign-in page can sign in as this user with a button, without a password. Owners and admins are not allowed.',
  }),
  signInAttempts: setting({
    names: ['POSTIL_SIGN_IN_ATTEMPTS'],
    parse: integer(1, 1_000_000),
    fallback: 10,
    shown: '`10`',
    doc: 'Failed sign-ins for one username from one address after which further attempts must wait.',
  }),
  signInWaitMs: setting({
    names: ['POSTIL_SIGN_IN_WAIT'],
    parse: seconds,
    fallback: 900_000,
    shown: '`900`',
    doc: 'Seconds for which failed sign-ins count. Also the time to wait after too many.',
  }),
  requestsPerMinute: setting({
    names: ['POSTIL_REQUESTS_PER_MINUTE'],
    parse: integer(0, 1_000_000_000),
    fallback: 60_000,
    shown: '`60000`',
    doc: 'API requests per minute that each process accepts from one user, or from one address without credentials. `0` removes the limit.',
  }),
  oauthFile: setting({
    names: both('AUTH_OAUTH_CFG'),
    parse: folder(home),
    fallback: '.oauth.yaml',
    shown: '`.oauth.yaml`',
    doc: 'YAML file that configures [identity providers](operations.md#identity-providers). Without the file there are none.',
  }),
  oauthLinkByUsername: setting({
    names: ['POSTIL_OAUTH_LINK_BY_USERNAME'],
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'Sign in a provider account as the existing user with the same username. Enable it only if users cannot choose their username at the provider.',
  }),
}
