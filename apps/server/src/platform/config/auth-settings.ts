import { both, optional, setting } from './define-setting.ts'
import { bool, folder, home, integer, oneOf, seconds, text } from './parsers.ts'

const YEAR = 31_622_400

/** Settings of signing in. */
export const authSettings = {
  secret: optional({
    names: ['POSTIL_SECRET'],
    parse: text({ min: 16 }),
    secret: true,
    shown: 'made once, in the data folder',
    doc: 'What API keys and cookies are sealed with, at least 16 characters. Required with PostgreSQL, the same for every process.',
  }),
  newSecret: optional({
    names: ['POSTIL_NEW_SECRET'],
    parse: text({ min: 16 }),
    secret: true,
    shown: '',
    doc: 'What `postil secret change` puts in the place of `POSTIL_SECRET`. It means nothing to a server.',
  }),
  authSecretKey: optional({
    names: both('AUTH_SECRET_KEY'),
    parse: text({ min: 1 }),
    secret: true,
    shown: 'made from the secret above',
    doc: 'Key that signs the bearer tokens of `POST /api/v1/token`.',
  }),
  authAlgorithm: setting({
    names: both('AUTH_ALGORITHM'),
    parse: oneOf('HS256', 'HS384', 'HS512'),
    fallback: 'HS256' as const,
    shown: '`HS256`',
    doc: 'Signature of bearer tokens: `HS256`, `HS384` or `HS512`.',
  }),
  authTokenSeconds: setting({
    names: both('AUTH_TOKEN_EXPIRATION'),
    parse: integer(1, YEAR),
    fallback: 86_400,
    shown: '`86400`',
    doc: 'Seconds that a bearer token lives.',
  }),
  sessionIdleSeconds: setting({
    names: ['POSTIL_SESSION_IDLE'],
    parse: integer(1, YEAR),
    fallback: 604_800,
    shown: '`604800`',
    doc: 'Seconds without use after which a browser has to sign in again.',
  }),
  sessionMaxSeconds: setting({
    names: ['POSTIL_SESSION_MAX'],
    parse: integer(1, YEAR),
    fallback: 2_592_000,
    shown: '`2592000`',
    doc: 'Seconds after which a browser has to sign in again however much it is used.',
  }),
  secondFactor: setting({
    names: ['POSTIL_SECOND_FACTOR'],
    parse: oneOf('optional', 'owners-and-admins', 'everyone'),
    fallback: 'optional' as const,
    shown: '`optional`',
    doc: 'Who has to have a second factor: nobody (`optional`), `owners-and-admins`, or `everyone`. Whoever has none sets one up at the next sign-in, before anything else.',
  }),
  demoUser: optional({
    names: ['POSTIL_DEMO_USER'],
    parse: text({ min: 1 }),
    shown: 'nobody',
    doc: 'Name of an annotator as whom everybody who reaches this server may sign in, without a password: a button on the sign-in page says so. Owners and admins are refused.',
  }),
  signInAttempts: setting({
    names: ['POSTIL_SIGN_IN_ATTEMPTS'],
    parse: integer(1, 1_000_000),
    fallback: 10,
    shown: '`10`',
    doc: 'Wrong passwords for a user from one address before they have to wait.',
  }),
  signInWaitMs: setting({
    names: ['POSTIL_SIGN_IN_WAIT'],
    parse: seconds,
    fallback: 900_000,
    shown: '`900`',
    doc: 'Seconds that wrong passwords are remembered, and so the wait.',
  }),
  requestsPerMinute: setting({
    names: ['POSTIL_REQUESTS_PER_MINUTE'],
    parse: integer(0, 1_000_000_000),
    fallback: 60_000,
    shown: '`60000`',
    doc: 'Calls of the API by one user, or by one address that has not said who it is, to each process within a minute before it has to wait; 0 for any number.',
  }),
  oauthFile: setting({
    names: both('AUTH_OAUTH_CFG'),
    parse: folder(home),
    fallback: '.oauth.yaml',
    shown: '`.oauth.yaml`',
    doc: 'YAML file that names the identity providers people may sign in through; without it there are none.',
  }),
  oauthLinkByUsername: setting({
    names: ['POSTIL_OAUTH_LINK_BY_USERNAME'],
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'Let whoever an identity provider calls by the name of a user here be that user. Only where nobody can choose a name there.',
  }),
}
