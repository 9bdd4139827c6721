import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IdentityConfigError, readIdentityConfig } from './configuration.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postil identity '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Env = { readonly [name: string]: string }
const read = async (yaml: string, oauthEnv: Env = {}, space?: object) => {
  const oauthFile = join(folder, 'oauth.yaml')
  await writeFile(oauthFile, yaml)
  return readIdentityConfig({ oauthFile, oauthEnv, space })
}
const provider = (keys: string, env?: Env) => read(`providers: [{${keys}}]`, env)
const client = 'client_id: id, client_secret: secret'

describe('no configuration file', () => {
  const none = { providers: [], allowedWorkspaces: [], allowHttpRedirect: false, notes: [] }
  const oauthEnv = {
    OAUTH2_HUGGINGFACE_CLIENT_ID: 'id',
    OAUTH2_HUGGINGFACE_CLIENT_SECRET: 's',
    OAUTH2_HUGGINGFACE_SCOPE: 'openid profile email',
  }

  it('means no providers, whatever the environment contains', async () => {
    expect(await readIdentityConfig({ oauthFile: join(folder, 'absent'), oauthEnv, space: undefined })).toEqual(none)
    expect(await read('')).toEqual(none)
  })

  it("means the Hub's own provider inside a Space", async () => {
    const inside = await readIdentityConfig({ oauthFile: join(folder, 'absent'), oauthEnv, space: {} })
    expect(inside.providers).toMatchObject([
      {
        name: 'huggingface',
        clientId: 'id',
        clientSecret: 's',
        scope: ['openid', 'profile', 'email'],
        issuer: 'https://huggingface.co',
      },
    ])
  })
})

describe('a configuration file', () => {
  it('sets providers, workspaces and whether plain HTTP is accepted', async () => {
    const config = await read(`
providers:
  - name: huggingface
    client_id: a
    client_secret: b
  - name: github
    client_id: c
    client_secret: d
    scope: [read:user, user:email]
    redirect_uri: /elsewhere/github
    sync_user: true
    second_factor: true
  - name: company
    title: Our company
    issuer: https://id.example.org/
    client_id: e
    username_claim: nickname
allowed_workspaces:
  - name: one
  - name: one
allow_http_redirect: true
extra_backends: [some.python.Class]
misspelt: 1
`)
    expect(config).toMatchObject({
      allowedWorkspaces: ['one'],
      allowHttpRedirect: true,
      notes: ['misspelt is not a known key and is ignored.'],
    })
    expect(config.providers).toMatchObject([
      {
        name: 'huggingface',
        kind: 'huggingface',
        scope: ['openid', 'profile'],
        redirectUri: null,
        syncUser: false,
        secondFactor: false,
      },
      {
        kind: 'github',
        scope: ['read:user', 'user:email'],
        redirectUri: '/elsewhere/github',
        syncUser: true,
        secondFactor: true,
        issuer: null,
        endpoint: null,
      },
      { kind: 'oidc', title: 'Our company', issuer: 'https://id.example.org', clientSecret: null, usernameClaim: 'nickname' },
    ])
  })

  it('falls back to the environment for missing settings', async () => {
    const env = {
      'OAUTH2_GOOGLE-OAUTH2_CLIENT_ID': 'dashed',
      OAUTH2_GITHUB_CLIENT_ID: 'ours',
      SOCIAL_AUTH_GITHUB_KEY: 'theirs',
      SOCIAL_AUTH_GITHUB_SECRET: 'their secret',
      SOCIAL_AUTH_GITHUB_SCOPE: 'a,b',
      SOCIAL_AUTH_GOOGLE_OAUTH2_SECRET: 'underlined',
      SOCIAL_AUTH_KEYCLOAK_KEY: 'k',
      SOCIAL_AUTH_KEYCLOAK_OIDC_ENDPOINT: 'https://kc.example.org/realms/r',
    }
    const { providers } = await read('providers: [{name: github}, {name: google-oauth2}, {name: keycloak}]', env)
    expect(providers).toMatchObject([
      { clientId: 'ours', clientSecret: 'their secret', scope: ['a', 'b'] },
      { clientId: 'dashed', clientSecret: 'underlined', scope: ['openid', 'email', 'profile'] },
      { clientId: 'k', clientSecret: null, issuer: 'https://kc.example.org/realms/r' },
    ])
  })

  it.each([
    ['providers: [', 'Flow sequence'],
    ['a: 1\na: 2', 'Map keys must be unique'],
    ['a: !!python/object/apply:os.system [id]', 'Unresolved tag'],
    ['a: !!js/function x', 'Unresolved tag'],
    ['a: !own x', 'Unresolved tag'],
    ['a: &a [x]\nb: *c', 'alias'],
    ['- name: github', 'must be a mapping'],
    ['providers: github', 'providers must be a list'],
    ['providers: [github]', 'providers[0] must be a mapping'],
    ['providers: [{client_id: a}]', 'providers[0].name is missing'],
    [`providers: [{name: gitlab, ${client}}]`, 'providers[0].name is "gitlab", which is not a known provider'],
    [`providers: [{name: "a b", ${client}}]`, 'providers[0].name may contain only letters'],
    [`providers: [{name: github, ${client}}, {name: github, ${client}}]`, 'providers[1].name "github" is used more than once'],
    ['providers: [{name: github, client_secret: s}]', 'client_id is missing for github'],
    ['providers: [{name: github, client_id: 12}]', 'client_id must be text; put it in quotes'],
    ['providers: [{name: github, client_id: a}]', 'client_secret is missing for github'],
    [`providers: [{name: keycloak, ${client}}]`, 'issuer is missing for keycloak'],
    [`providers: [{name: github, issuer: "https://x.org", ${client}}]`, 'use "endpoint"'],
    [`providers: [{name: huggingface, endpoint: "https://x.org", ${client}}]`, 'use "issuer"'],
    [`providers: [{name: a, issuer: "http://id.example.org", ${client}}]`, 'issuer must be an https URL'],
    [`providers: [{name: a, issuer: "ftp://id.example.org", ${client}}]`, 'issuer must be a URL'],
    [`providers: [{name: huggingface, redirect_uri: "http://a.org/x", ${client}}]`, 'redirect_uri must be an https URL'],
    [`providers: [{name: huggingface, redirect_uri: "//a.org/x", ${client}}]`, 'redirect_uri must be a URL'],
    [`providers: [{name: huggingface, scope: profile, ${client}}]`, 'scope must include "openid"'],
    [`providers: [{name: huggingface, sync_user: "yes", ${client}}]`, 'sync_user must be true or false'],
    ['allowed_workspaces: [{name: "a b"}]', 'allowed_workspaces[0].name is "a b"'],
    ['allowed_workspaces: [{}]', 'allowed_workspaces[0].name is missing'],
  ])('containing %j is refused', async (yaml, problem) => {
    const refusal = await read(yaml).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refusal).toBeInstanceOf(IdentityConfigError)
    const { message } = refusal as Error
    expect(message).toContain(`Cannot use the file ${join(folder, 'oauth.yaml')}: `)
    expect(message).toContain(problem)
    expect(message.split('\n')).toHaveLength(1)
    expect(message).not.toContain('secret: secret')
  })

  it("is refused, not ignored, if it can't be read", async () => {
    await expect(readIdentityConfig({ oauthFile: folder, oauthEnv: {}, space: undefined })).rejects.toThrow(
      'cannot be read (EISDIR)',
    )
  })

  it('can name the local machine without HTTPS, and other hosts if plain HTTP is accepted', async () => {
    expect((await provider(`name: a, issuer: "http://127.0.0.1:8080/realms/x", ${client}`)).providers[0]?.issuer).toBe(
      'http://127.0.0.1:8080/realms/x',
    )
    const plain = await read(`allow_http_redirect: true\nproviders: [{name: a, issuer: "http://kc:8080/r", ${client}}]`)
    expect(plain.providers[0]?.issuer).toBe('http://kc:8080/r')
  })
})
