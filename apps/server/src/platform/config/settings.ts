import { homedir } from 'node:os'
import { authSettings } from './auth-settings.ts'
import type { DatabasePlace } from './database-url.ts'
import { databasePlace } from './database-url.ts'
import { both, optional, setting } from './define-setting.ts'
import { basePath, bool, bytes, folder, integer, minutes, oneOf, origin, origins, pattern, seconds, text } from './parsers.ts'

const count = integer(1, 1_000_000)
const workspaceName = pattern(/^[a-zA-Z0-9_-]+$/, 'letters, digits, - and _ only')

/** Every setting of the server. The README's table and the flags of `start` are made from it. */
export const settings = {
  host: setting({
    names: ['POSTIL_HOST', 'HOST'],
    flag: 'host',
    parse: text({ min: 1, max: 255 }),
    fallback: '127.0.0.1',
    shown: '`127.0.0.1`',
    doc: 'Address to listen on; `0.0.0.0` for every network of the machine.',
  }),
  port: setting({
    names: ['POSTIL_PORT', 'PORT'],
    flag: 'port',
    parse: integer(0, 65_535),
    fallback: 6900,
    shown: '`6900`',
    doc: 'Port to listen on; `0` takes a free one.',
  }),
  baseUrl: setting({
    names: both('BASE_URL'),
    flag: 'base-url',
    parse: basePath,
    fallback: '/',
    shown: '`/`',
    doc: 'Path under which everything is served.',
  }),
  publicUrl: optional({
    names: ['POSTIL_PUBLIC_URL'],
    flag: 'public-url',
    parse: origin,
    doc: 'The address that people type, when it is not the one listened on. `https` makes cookies secure.',
  }),
  trustProxy: setting({
    names: ['POSTIL_TRUST_PROXY'],
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'Believe the `X-Forwarded-*` headers of a reverse proxy.',
  }),
  accessLog: setting({
    names: ['POSTIL_ACCESS_LOG'],
    flag: 'access-log',
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'Log every request.',
  }),
  logLevel: setting({
    names: ['POSTIL_LOG_LEVEL'],
    flag: 'log-level',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    fallback: 'info' as const,
    shown: '`info`',
    doc: 'How much the server says: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, `silent`.',
  }),
  dataDir: setting({
    names: ['POSTIL_DATA_DIR', 'ARGILLA_HOME_PATH'],
    flag: 'data-dir',
    parse: folder(homedir()),
    fallback: `${homedir()}/.postil`,
    shown: '`~/.postil`',
    doc: 'Folder of the embedded database and of the secrets.',
  }),
  database: optional<DatabasePlace>({
    names: both('DATABASE_URL'),
    flag: 'database-url',
    parse: databasePlace,
    shown: 'the embedded one',
    secret: true,
    doc: 'PostgreSQL 15+ with pgvector: `postgresql://user:password@host:5432/name`.',
  }),
  databaseDirect: optional<DatabasePlace>({
    names: ['POSTIL_DATABASE_DIRECT_URL'],
    parse: databasePlace,
    secret: true,
    doc: 'The same database without the pooler that the URL above goes through; used for migrations.',
  }),
  databasePoolSize: setting({
    names: both('DATABASE_POSTGRESQL_POOL_SIZE'),
    parse: count,
    fallback: 15,
    shown: '`15`',
    doc: 'Connections to PostgreSQL.',
  }),
  databaseMaxOverflow: setting({
    names: both('DATABASE_POSTGRESQL_MAX_OVERFLOW'),
    parse: integer(0, 1_000_000),
    fallback: 10,
    shown: '`10`',
    doc: 'Further connections under load.',
  }),
  sqliteTimeoutMs: setting({
    names: both('DATABASE_SQLITE_TIMEOUT'),
    parse: seconds,
    fallback: 5000,
    shown: '`5`',
    doc: 'Seconds that a write waits for another process on the embedded database.',
  }),
  ...authSettings,
  corsOrigins: setting({
    names: both('CORS_ORIGINS'),
    parse: origins,
    fallback: [] as readonly string[],
    shown: 'none',
    doc: 'JSON list of the other origins whose pages may call the API.',
  }),
  docsEnabled: setting({
    names: both('DOCS_ENABLED'),
    parse: bool,
    fallback: true,
    shown: '`true`',
    doc: 'Serve the documentation of the API: `/api/v1/docs` and `/api/v1/openapi.json`.',
  }),
  maxBody: setting({
    names: ['POSTIL_MAX_BODY'],
    parse: bytes,
    fallback: 64_000_000,
    shown: '`64 MB`',
    doc: 'Largest request body.',
  }),
  webhooksAllowPrivate: setting({
    names: ['POSTIL_WEBHOOKS_ALLOW_PRIVATE'],
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'Let webhooks reach private addresses: this machine and its own network.',
  }),
  leaseMs: setting({
    names: ['POSTIL_LEASE_MINUTES'],
    parse: minutes,
    fallback: 900_000,
    shown: '`15`',
    doc: 'Minutes that a record is kept for the annotator whom the queue has handed it to.',
  }),
  labelOptionsMax: setting({
    names: both('LABEL_SELECTION_OPTIONS_MAX_ITEMS'),
    parse: integer(2, 1_000_000),
    fallback: 500,
    shown: '`500`',
    doc: 'Most options of a label question.',
  }),
  spanOptionsMax: setting({
    names: both('SPAN_OPTIONS_MAX_ITEMS'),
    parse: count,
    fallback: 500,
    shown: '`500`',
    doc: 'Most options of a span question.',
  }),
  minMessageLength: setting({
    names: both('MIN_MESSAGE_LENGTH'),
    parse: integer(0, 10_000_000),
    fallback: 1,
    shown: '`1`',
    doc: 'Fewest characters of a chat message.',
  }),
  maxMessageLength: setting({
    names: both('MAX_MESSAGE_LENGTH'),
    parse: integer(1, 10_000_000),
    fallback: 20_000,
    shown: '`20000`',
    doc: 'Most characters of a chat message.',
  }),
  minRoleLength: setting({
    names: both('MIN_ROLE_LENGTH'),
    parse: integer(0, 10_000),
    fallback: 1,
    shown: '`1`',
    doc: 'Fewest characters of a role in a chat.',
  }),
  maxRoleLength: setting({
    names: both('MAX_ROLE_LENGTH'),
    parse: integer(1, 10_000),
    fallback: 20,
    shown: '`20`',
    doc: 'Most characters of a role in a chat.',
  }),
  shareYourProgress: setting({
    names: both('ENABLE_SHARE_YOUR_PROGRESS'),
    parse: bool,
    fallback: false,
    shown: '`false`',
    doc: 'Offer people to share their progress.',
  }),
  storageWarning: setting({
    names: both('SHOW_HUGGINGFACE_SPACE_PERSISTENT_STORAGE_WARNING'),
    parse: bool,
    fallback: true,
    shown: '`true`',
    doc: 'In a hub space: warn while persistent storage is off.',
  }),
  ownerUsername: setting({
    names: ['POSTIL_OWNER_USERNAME'],
    spaceNames: ['USERNAME'],
    parse: text({ min: 1 }),
    fallback: 'owner',
    shown: '`owner`',
    doc: 'Name of the first owner. This one and the next three are used only while no user exists.',
  }),
  ownerPassword: optional({
    names: ['POSTIL_OWNER_PASSWORD'],
    spaceNames: ['PASSWORD'],
    parse: text({ min: 8, max: 100 }),
    secret: true,
    shown: 'generated, printed once',
    doc: 'Password of the first owner, 8 to 100 characters.',
  }),
  ownerApiKey: optional({
    names: ['POSTIL_OWNER_API_KEY'],
    spaceNames: ['API_KEY'],
    parse: text({ min: 8 }),
    secret: true,
    shown: 'generated, printed once',
    doc: 'API key of the first owner, at least 8 characters.',
  }),
  ownerWorkspace: setting({
    names: ['POSTIL_OWNER_WORKSPACE'],
    spaceNames: ['WORKSPACE'],
    parse: workspaceName,
    fallback: 'default',
    shown: '`default`',
    doc: 'Name of the first workspace.',
  }),
}

export type Settings = typeof settings
export type SettingKey = keyof Settings

/** Names of the original server that mean nothing here: accepted without a word. */
export const IGNORED = [
  'ARGILLA_ELASTICSEARCH',
  'ARGILLA_ELASTICSEARCH_SSL_VERIFY',
  'ARGILLA_ELASTICSEARCH_CA_PATH',
  'ARGILLA_SEARCH_ENGINE',
  'ARGILLA_ES_RECORDS_INDEX_SHARDS',
  'ARGILLA_ES_RECORDS_INDEX_REPLICAS',
  'ARGILLA_ES_MAPPING_TOTAL_FIELDS_LIMIT',
  'ARGILLA_REDIS_URL',
  'ARGILLA_REDIS_USE_CLUSTER',
  'ARGILLA_ENABLE_TELEMETRY',
  'HF_HUB_DISABLE_TELEMETRY',
  'REINDEX_DATASETS',
] as const
