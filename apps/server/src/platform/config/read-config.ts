import type { DatabasePlace } from './database-url.ts'
import type { Setting } from './define-setting.ts'
import { bool } from './parsers.ts'
import type { SettingKey, Settings } from './settings.ts'
import { settings } from './settings.ts'

/** The Hub Space that the server runs in, read from the environment. The keys match those of `GET /settings`. */
type Space = {
  readonly space_id: string
  readonly space_title: string | undefined
  readonly space_subdomain: string | undefined
  readonly space_host: string | undefined
  readonly space_repo_name: string | undefined
  readonly space_author_name: string | undefined
  readonly space_persistent_storage_enabled: boolean
}

const readSpace = (env: { readonly [name: string]: string | undefined }): Space | undefined => {
  if (!env.SPACE_ID) return undefined
  // PERSISTANT is the Hub's spelling.
  const storage = bool(env.PERSISTANT_STORAGE_ENABLED ?? 'false')
  return {
    space_id: env.SPACE_ID,
    space_title: env.SPACE_TITLE,
    space_subdomain: env.SPACE_SUBDOMAIN,
    space_host: env.SPACE_HOST,
    space_repo_name: env.SPACE_REPO_NAME,
    space_author_name: env.SPACE_AUTHOR_NAME,
    space_persistent_storage_enabled: 'value' in storage && storage.value,
  }
}

type Values = { readonly [K in SettingKey]: Settings[K] extends Setting<infer T> ? T : never }

/** The whole configuration. Built once at start and never changed. */
export type Config = Omit<Values, 'database' | 'databaseDirect' | 'databaseRead'> & {
  /** The URL of the PostgreSQL database. Undefined if the embedded database in `dataDir` is used. */
  readonly databaseUrl: string | undefined
  readonly databaseDirectUrl: string | undefined
  readonly databaseReadUrl: string | undefined
  /** The Hub Space that the server runs in, if any. */
  readonly space: Space | undefined
  /**
   * Hub username of the Space's owner, who also owns the server. Undefined outside a Space, because a shell may have set
   * `USERNAME` to the name of a local user.
   */
  readonly hubOwner: string | undefined
  /** The unparsed `OAUTH2_*` and `SOCIAL_AUTH_*` variables. The providers decide which ones they use. */
  readonly oauthEnv: { readonly [name: string]: string }
}

export type Env = { readonly [name: string]: string | undefined }
/** Command-line flags, keyed by name without dashes. */
export type Flags = { readonly [name: string]: string | boolean | undefined }
type ConfigResult =
  | { readonly ok: true; readonly config: Config; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] }

type Found = { readonly name: string; readonly raw: string }

// Kubernetes sets POSTIL_PORT=tcp://… in every pod if a service is named postil.
const fromCluster = (raw: string) => /^(tcp|udp):\/\//.test(raw)

const find = (one: Setting<unknown>, env: Env, flags: Flags): Found | undefined => {
  const flag = one.flag === undefined ? undefined : flags[one.flag]
  if (flag !== undefined) return { name: `--${one.flag}`, raw: String(flag) }
  const names = env.SPACE_ID ? [...one.names, ...(one.spaceNames ?? [])] : one.names
  for (const name of names) {
    const raw = env[name]
    // Compose files pass unset variables as empty strings.
    if (raw !== undefined && raw !== '' && !fromCluster(raw)) return { name, raw }
  }
  return undefined
}

const quoted = (one: Setting<unknown>, raw: string) => (one.secret ? '' : ` (it is ${JSON.stringify(raw.slice(0, 100))})`)

const readValues = (env: Env, flags: Flags, problems: string[]): { values: Values; from: Map<string, string> } => {
  const from = new Map<string, string>()
  const entries = Object.entries(settings as { readonly [key: string]: Setting<unknown> }).map(([key, one]) => {
    const found = find(one, env, flags)
    if (!found) return [key, one.fallback]
    from.set(key, found.name)
    const parsed = one.parse(found.raw)
    if ('value' in parsed) return [key, parsed.value]
    problems.push(`${found.name} ${parsed.problem}${quoted(one, found.raw)}.`)
    return [key, one.fallback]
  })
  return { values: Object.fromEntries(entries) as Values, from }
}

const crossRules = (values: Values, from: Map<string, string>): string[] => {
  const name = (key: SettingKey) => from.get(key) ?? settings[key].names[0]
  const problems: string[] = []
  const ordered = (low: 'minMessageLength' | 'minRoleLength', high: 'maxMessageLength' | 'maxRoleLength') => {
    if (values[low] > values[high]) problems.push(`${name(low)} must not be greater than ${name(high)}.`)
  }
  ordered('minMessageLength', 'maxMessageLength')
  ordered('minRoleLength', 'maxRoleLength')
  const database = values.database
  if (database && 'postgres' in database && !values.secret) {
    problems.push(
      `POSTIL_SECRET is required with PostgreSQL (${name('database')}). Set it to a secret text of at least 16 characters that all servers share.`,
    )
  }
  if (database && 'folder' in database && from.has('dataDir') && values.dataDir !== database.folder) {
    problems.push(`${name('database')} and ${name('dataDir')} name different folders. Remove the first one.`)
  }
  if (values.files?.kind === 's3' && !(values.s3AccessKey && values.s3SecretKey)) {
    problems.push(`POSTIL_S3_ACCESS_KEY_ID and POSTIL_S3_SECRET_ACCESS_KEY are required for a bucket (${name('files')}).`)
  }
  if (values.demoUser !== undefined && values.secondFactor === 'everyone') {
    problems.push(
      `${name('demoUser')} lets anyone sign in without two-factor authentication, but ${name('secondFactor')}=everyone requires it. Remove one of the two.`,
    )
  }
  for (const key of ['databaseDirect', 'databaseRead'] as const) {
    const other = values[key]
    if (other && !(database && 'postgres' in database)) problems.push(`${name(key)} requires POSTIL_DATABASE_URL.`)
    if (other && !('postgres' in other)) problems.push(`${name(key)} must be the URL of a PostgreSQL server.`)
  }
  return problems
}

const oauthNames = /^(OAUTH2|SOCIAL_AUTH)_/

const readOauthEnv = (env: Env): { [name: string]: string } => {
  const found = Object.entries(env).filter(
    (entry): entry is [string, string] => oauthNames.test(entry[0]) && entry[1] !== undefined,
  )
  // A Hub Space passes its OAuth client to the container in variables with different names.
  const fromSpace = env.SPACE_ID
    ? [
        ['OAUTH2_HUGGINGFACE_CLIENT_ID', env.OAUTH_CLIENT_ID],
        ['OAUTH2_HUGGINGFACE_CLIENT_SECRET', env.OAUTH_CLIENT_SECRET],
        ['OAUTH2_HUGGINGFACE_SCOPE', env.OAUTH_SCOPES],
      ].filter((entry): entry is [string, string] => entry[1] !== undefined)
    : []
  return Object.fromEntries([...fromSpace, ...found])
}

const known = new Set(Object.values(settings).flatMap((one) => one.names))
/** Notes about unknown variables with our prefix, which are nearly always typos. */
const notesOn = (env: Env): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith('POSTIL_') && !known.has(name) && !/^POSTIL_(TEST|SERVICE|PORT)_/.test(name))
    .map((name) => `${name} is not a setting of this version and is ignored.`)

/**
 * Reads the configuration only from the given environment and flags. Reports all problems at once, each with the setting's name.
 */
export const readConfig = (env: Env, flags: Flags = {}): ConfigResult => {
  const problems: string[] = []
  const { values, from } = readValues(env, flags, problems)
  problems.push(...crossRules(values, from))
  if (problems.length > 0) return { ok: false, problems }
  const { database, databaseDirect, databaseRead, ...rest } = values
  const postgresOf = (place: DatabasePlace | undefined) => (place && 'postgres' in place ? place.postgres : undefined)
  return {
    ok: true,
    config: {
      ...rest,
      dataDir: database && 'folder' in database ? database.folder : rest.dataDir,
      databaseUrl: postgresOf(database),
      databaseDirectUrl: postgresOf(databaseDirect),
      databaseReadUrl: postgresOf(databaseRead),
      space: readSpace(env),
      hubOwner: (env.SPACE_ID && env.USERNAME) || undefined,
      oauthEnv: readOauthEnv(env),
    },
    notes: notesOn(env),
  }
}
