import { homedir } from 'node:os'
import { describe, expect, test as it } from 'vitest'
import type { Config } from './read-config.ts'
import { readConfig } from './read-config.ts'
import { IGNORED, settings } from './settings.ts'

const good = (env: { [name: string]: string }, flags = {}): Config => {
  const result = readConfig(env, flags)
  if (!result.ok) throw new Error(result.problems.join('\n'))
  return result.config
}

const bad = (env: { [name: string]: string }, flags = {}): readonly string[] => {
  const result = readConfig(env, flags)
  return result.ok ? [] : result.problems
}

describe('defaults', () => {
  it('an empty environment gives a server on the loopback interface with an embedded database', () => {
    expect(good({})).toMatchObject({
      host: '127.0.0.1',
      port: 6900,
      baseUrl: '/',
      dataDir: `${homedir()}/.postil`,
      databaseUrl: undefined,
      corsOrigins: [],
      ownerUsername: 'owner',
      ownerPassword: undefined,
      ownerWorkspace: 'default',
      maxBody: 64_000_000,
      space: undefined,
    })
  })

  it('an empty variable counts as unset', () => {
    expect(good({ POSTIL_PORT: '', PORT: '7000' }).port).toBe(7000)
  })

  it('variables that a cluster injects for a service named postil aren’t settings', () => {
    expect(good({ POSTIL_PORT: 'tcp://10.0.0.1:6900' }).port).toBe(6900)
  })
})

it('a Hub token that is invalid in a header is rejected without being revealed', () => {
  expect(bad({ HF_TOKEN: 'hf_secret\nhf_other' })).toEqual([expect.not.stringContaining('hf_')])
  expect(good({ HF_TOKEN: 'hf_secret' }).hubToken).toBe('hf_secret')
})

describe('precedence', () => {
  const env = { POSTIL_BASE_URL: '/a', ARGILLA_BASE_URL: '/b', POSTIL_PORT: '1', PORT: '2' }
  it('a flag comes first, then POSTIL_, then ARGILLA_, then the plain name', () => {
    expect(good(env, { port: '9', 'base-url': 'f' })).toMatchObject({ port: 9, baseUrl: '/f/' })
    expect(good(env)).toMatchObject({ port: 1, baseUrl: '/a/' })
    expect(good({ ARGILLA_BASE_URL: '/b/', PORT: '2' })).toMatchObject({ port: 2, baseUrl: '/b/' })
  })

  it('every setting with an ARGILLA_ name reads it', () => {
    const readable = Object.values(settings).flatMap((one) => one.names.filter((name) => name.startsWith('ARGILLA_')))
    expect(readable).toHaveLength(20)
    for (const name of readable)
      expect(bad({ [name]: '\u0000 not a value ../..' }).join(), name).toMatch(
        /HOME_PATH|OAUTH_CFG|SECRET_KEY/.test(name) ? /^$/ : new RegExp(`^${name} `),
      )
  })
})

describe('an invalid value', () => {
  it.each([
    ['POSTIL_PORT', 'abc', 'POSTIL_PORT must be a whole number from 0 to 65535 (it is "abc").'],
    ['PORT', '65536', 'PORT must be a whole number'],
    ['POSTIL_MAX_BODY', '64 parsecs', 'POSTIL_MAX_BODY must be a size with a unit, such as 64 MB'],
    ['POSTIL_MAX_BODY', '64', 'POSTIL_MAX_BODY must be a size with a unit, such as 64 MB, from 100 kB'],
    ['POSTIL_MAX_IMPORT_FILE', '2048', 'POSTIL_MAX_IMPORT_FILE must be a size with a unit'],
    ['POSTIL_MAX_BODY', '0', 'POSTIL_MAX_BODY must be a size'],
    ['HF_ENDPOINT', 'huggingface.co', 'HF_ENDPOINT must be a URL such as https://hub.example.org'],
    ['HF_ENDPOINT', 'https://someone:secret@hub.test', 'HF_ENDPOINT must be a URL'],
    ['POSTIL_DATASETS_SERVER', 'ftp://hub.test', 'POSTIL_DATASETS_SERVER must be a URL'],
    ['POSTIL_DATASETS_SERVER', 'https://hub.test/?a=b', 'POSTIL_DATASETS_SERVER must be a URL'],
    ['POSTIL_HUB_TIMEOUT', 'soon', 'POSTIL_HUB_TIMEOUT must be a number of seconds'],
    ['ARGILLA_CORS_ORIGINS', '["https://a.example/path"]', 'ARGILLA_CORS_ORIGINS must be a JSON list of origins'],
    ['ARGILLA_CORS_ORIGINS', '[1]', 'ARGILLA_CORS_ORIGINS must be a JSON list of origins'],
    ['ARGILLA_CORS_ORIGINS', '{"a":1}', 'ARGILLA_CORS_ORIGINS must be a JSON list of origins'],
    ['ARGILLA_AUTH_ALGORITHM', 'none', 'ARGILLA_AUTH_ALGORITHM must be one of HS256, HS384, HS512'],
    [
      'POSTIL_SECOND_FACTOR',
      'owners',
      'POSTIL_SECOND_FACTOR must be one of optional, owners-and-admins, everyone (it is "owners").',
    ],
    ['ARGILLA_BASE_URL', '/../etc', 'ARGILLA_BASE_URL must be a path'],
    ['POSTIL_PUBLIC_URL', 'javascript:alert(1)', 'POSTIL_PUBLIC_URL must be a URL'],
    ['POSTIL_ALLOWED_HOSTS', 'https://a.example', 'POSTIL_ALLOWED_HOSTS must be host names without ports'],
    ['POSTIL_ALLOWED_HOSTS', 'a.example:80', 'POSTIL_ALLOWED_HOSTS must be host names without ports'],
    ['POSTIL_OWNER_WORKSPACE', 'my team', 'POSTIL_OWNER_WORKSPACE must be letters, digits, - and _ only'],
    ['POSTIL_ACCESS_LOG', 'perhaps', 'POSTIL_ACCESS_LOG must be true or false'],
    ['ARGILLA_DATABASE_URL', 'mysql://x/y', 'ARGILLA_DATABASE_URL must be a URL such as postgresql://'],
    ['POSTIL_DATABASE_URL', 'postgresql://host', 'POSTIL_DATABASE_URL must be a URL such as postgresql://'],
    ['POSTIL_DATABASE_URL', 'postgresql://u:p/w@host/name', 'In the password, write / ? # % @ : and spaces as %2F'],
  ])('%s=%s is rejected by name', (name, value, sentence) => {
    expect(bad({ [name]: value, POSTIL_SECRET: 'a secret of sixteen' })).toEqual([expect.stringContaining(sentence)])
  })

  it('is reported together with all others, and a secret is never repeated', () => {
    const problems = bad({
      POSTIL_PORT: 'x',
      POSTIL_OWNER_PASSWORD: 'hunter2',
      POSTIL_OWNER_API_KEY: 'k1',
      POSTIL_SECRET: 'short',
    })
    expect(problems).toHaveLength(4)
    expect(problems.join()).toContain('POSTIL_OWNER_API_KEY must have at least 8 characters')
    expect(problems.join()).not.toMatch(/hunter2|k1|"short"/)
  })

  it('is a demo user, who needs no factor, when everyone needs two', () => {
    const demo = { POSTIL_DEMO_USER: 'guest' }
    expect(bad({ ...demo, POSTIL_SECOND_FACTOR: 'everyone' })).toEqual([
      'POSTIL_DEMO_USER lets anyone sign in without two-factor authentication, but POSTIL_SECOND_FACTOR=everyone requires it. Remove one of the two.',
    ])
    expect(good({ ...demo, POSTIL_SECOND_FACTOR: 'owners-and-admins' })).toMatchObject({ secondFactor: 'owners-and-admins' })
  })

  it('is a limit that contradicts another', () => {
    expect(bad({ ARGILLA_MIN_ROLE_LENGTH: '30' })).toEqual([
      'ARGILLA_MIN_ROLE_LENGTH must not be greater than POSTIL_MAX_ROLE_LENGTH.',
    ])
  })
})

describe('database settings', () => {
  const secret = { POSTIL_SECRET: 'a secret of sixteen' }
  it.each([
    ['postgresql+asyncpg://u:p@db:5432/postil', 'postgresql://u:p@db:5432/postil'],
    ['postgres://u:p@db/postil', 'postgresql://u:p@db/postil'],
    ['postgresql+psycopg2://u:p%40@db/postil?ssl=require', 'postgresql://u:p%40@db/postil?sslmode=verify-full'],
    ['postgres://u@db/postil?sslmode=verify-ca', 'postgresql://u@db/postil?sslmode=verify-full'],
    ['postgres://u@db/postil?sslmode=no-verify', 'postgresql://u@db/postil?sslmode=no-verify'],
    [
      'postgres://u@db/postil?uselibpqcompat=true&sslmode=require',
      'postgresql://u@db/postil?uselibpqcompat=true&sslmode=require',
    ],
  ])('%s', (url, expected) => {
    expect(good({ ARGILLA_DATABASE_URL: url, ...secret }).databaseUrl).toBe(expected)
  })

  it('PostgreSQL requires a configured secret', () => {
    expect(bad({ POSTIL_DATABASE_URL: 'postgresql://u:p@db/postil' })).toEqual([
      expect.stringContaining('POSTIL_SECRET is required with PostgreSQL'),
    ])
  })

  it('an Argilla database file is rejected with the migration command', () => {
    const url = 'sqlite+aiosqlite:////home/me/.argilla/argilla.db?check_same_thread=False'
    expect(bad({ ARGILLA_DATABASE_URL: url })).toEqual([expect.stringContaining('postil migrate-from')])
  })

  it('a Postil database file sets the data folder', () => {
    expect(good({ POSTIL_DATABASE_URL: 'sqlite:////srv/data%20here/postil.db' })).toMatchObject({
      dataDir: '/srv/data here',
      databaseUrl: undefined,
    })
    expect(bad({ POSTIL_DATABASE_URL: 'sqlite:////srv/a/postil.db', POSTIL_DATA_DIR: '/srv/b' })).toHaveLength(1)
  })

  it('a direct URL alone is rejected', () => {
    expect(bad({ POSTIL_DATABASE_DIRECT_URL: 'postgresql://u:p@db/postil' })).toHaveLength(1)
  })
})

describe('a Hub Space', () => {
  const shell = { USERNAME: 'me', PASSWORD: 'my password', API_KEY: 'my-own-key', WORKSPACE: 'team' }
  it('ignores the shell’s USERNAME outside a Space', () => {
    expect(good(shell)).toMatchObject({
      ownerUsername: 'owner',
      ownerPassword: undefined,
      ownerApiKey: undefined,
      ownerWorkspace: 'default',
    })
  })

  it('uses USERNAME for the owner inside a Space', () => {
    const config = good({ ...shell, SPACE_ID: 'org/space', PERSISTANT_STORAGE_ENABLED: 'true', OAUTH_CLIENT_ID: 'c' })
    expect(config).toMatchObject({
      ownerUsername: 'me',
      ownerPassword: 'my password',
      ownerApiKey: 'my-own-key',
      ownerWorkspace: 'team',
    })
    expect(config.space).toMatchObject({ space_id: 'org/space', space_persistent_storage_enabled: true })
    expect(config.oauthEnv).toEqual({ OAUTH2_HUGGINGFACE_CLIENT_ID: 'c' })
    expect([config.hubOwner, good(shell).hubOwner]).toEqual(['me', undefined])
  })

  it('gives POSTIL_ names precedence over those of the Space', () => {
    expect(good({ ...shell, SPACE_ID: 'x', POSTIL_OWNER_USERNAME: 'ours' }).ownerUsername).toBe('ours')
  })
})

it('Argilla settings without a meaning in Postil are accepted', () => {
  const result = readConfig(Object.fromEntries(IGNORED.map((name) => [name, 'anything'])))
  expect(result).toMatchObject({ ok: true, notes: [] })
})

it('a misspelled setting is reported', () => {
  expect(readConfig({ POSTIL_PROT: '1' })).toMatchObject({ ok: true, notes: [expect.stringContaining('POSTIL_PROT')] })
})
