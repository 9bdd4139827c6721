import type { Session } from '@postil/contract/people/auth.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { type GithubStandIn, startGithub } from '@postil/testkit/github-stand-in.ts'
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  signInAt,
  startIdentityProvider,
} from '@postil/testkit/identity-provider.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { begin, bootWith, finish, signInAs, whoHas } from './testing/signing-in.ts'

const open: { readonly close: () => Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()))
})

const roles = (...names: string[]) => ({ realm_access: { roles: [...names, 'offline_access'] } })

type Given = { readonly provider: IdentityProvider; readonly server: TestServer }
type Options = {
  readonly name?: string
  readonly keys?: string
  readonly env?: { readonly [name: string]: string }
  readonly provider?: IdentityProviderOptions
}

const given = async ({ name = 'huggingface', keys = '', env = {}, ...options }: Options = {}): Promise<Given> => {
  const provider = await startIdentityProvider(options.provider)
  const client = `client_id: ${provider.client.id}, client_secret: ${provider.client.secret}`
  const server = await bootWith(
    `providers: [{name: ${name}, issuer: "${provider.issuer}", ${client}${keys}}]\nallowed_workspaces: [{name: first}, {name: second}]`,
    env,
  )
  open.push(server, provider)
  return { provider, server }
}

describe('an account of a provider', () => {
  it('stays the same user when its name changes there, and is nobody else when the name is given away', async () => {
    const { provider, server } = await given()
    provider.accounts['1'] = { preferred_username: 'ann' }
    const ann = await whoHas(server, await signInAs(server, 'huggingface', '1'))
    expect(ann).toMatchObject({ username: 'ann', first_name: 'ann', role: 'annotator', in: ['first', 'second'] })
    provider.accounts['1'] = { preferred_username: 'anna' }
    expect(await whoHas(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ id: ann.id, username: 'ann' })
    provider.accounts['2'] = { preferred_username: 'ann' }
    expect(await signInAs(server, 'huggingface', '2')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('`ann`'), reason: 'name_taken' },
    })
  })

  it('does not get the account of a user who has the name here', async () => {
    const { provider, server } = await given()
    provider.accounts['1'] = { preferred_username: 'owner' }
    for (const _ of [1, 2]) expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 409 })
    await server.createUser({ username: 'bob' })
    provider.accounts['2'] = { preferred_username: 'bob' }
    expect(await signInAs(server, 'huggingface', '2')).toMatchObject({ status: 409, body: { reason: 'name_taken' } })
  })

  it('gets it where the operator wants that, once for each provider', async () => {
    const { provider, server } = await given({ env: { POSTIL_OAUTH_LINK_BY_USERNAME: 'true' } })
    const bob = await server.createUser({ username: 'bob', first_name: 'Robert', role: 'admin' })
    provider.accounts['1'] = { preferred_username: 'bob', given_name: 'Bob' }
    const found = await whoHas(server, await signInAs(server, 'huggingface', '1'))
    expect(found).toMatchObject({ id: bob.id, first_name: 'Robert', role: 'admin', in: [] })
    provider.accounts['2'] = { preferred_username: 'bob' }
    expect(await signInAs(server, 'huggingface', '2')).toMatchObject({ status: 409 })
  })

  it('is refused while its user is deactivated, also when it would become that user', async () => {
    const { provider, server } = await given({ env: { POSTIL_OAUTH_LINK_BY_USERNAME: 'true' } })
    const bob = await server.createUser({ username: 'bob' })
    provider.accounts['1'] = { preferred_username: 'bob' }
    const set = (active: boolean) => server.as(server.owner).patch(`/users/${bob.id}`, { active })
    await set(false)
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 401, body: { reason: 'deactivated' } })
    await set(true)
    expect((await signInAs(server, 'huggingface', '1')).status).toBe(200)
    await set(false)
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 401, body: { reason: 'deactivated' } })
  })

  it('ends with its user, and may come back as a new one', async () => {
    const { provider, server } = await given()
    provider.accounts['1'] = { preferred_username: 'ann' }
    const before = await whoHas(server, await signInAs(server, 'huggingface', '1'))
    await server.as(server.owner).delete(`/users/${before.id}`)
    const after = await whoHas(server, await signInAs(server, 'huggingface', '1'))
    expect(after.username).toBe('ann')
    expect(after.id).not.toBe(before.id)
  })

  it('comes in once although it signs in twice at once', async () => {
    const { provider, server } = await given()
    for (const account of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      provider.accounts[account] = { preferred_username: `ann-${account}` }
      const answers = await Promise.all([1, 2, 3].map(() => signInAs(server, 'huggingface', account)))
      expect(answers.map(({ body }) => body.reason)).toEqual([undefined, undefined, undefined])
      const ids = await Promise.all(answers.map(async (answer) => (await whoHas(server, answer)).id))
      expect(new Set(ids).size).toBe(1)
    }
  })

  it('is an owner only by the name of the space, inside of one', async () => {
    const outside = await given({ env: { USERNAME: 'ann' } })
    outside.provider.accounts['1'] = { preferred_username: 'ann' }
    expect(await whoHas(outside.server, await signInAs(outside.server, 'huggingface', '1'))).toMatchObject({ role: 'annotator' })

    const inside = await given({ env: { USERNAME: 'ann', SPACE_ID: 'ann/notes', POSTIL_OWNER_USERNAME: 'owner' } })
    inside.provider.accounts['1'] = { preferred_username: 'ann' }
    inside.provider.accounts['2'] = { preferred_username: 'bob' }
    expect(await whoHas(inside.server, await signInAs(inside.server, 'huggingface', '1'))).toMatchObject({ role: 'owner' })
    expect(await whoHas(inside.server, await signInAs(inside.server, 'huggingface', '2'))).toMatchObject({ role: 'annotator' })

    const first = await given({ env: { USERNAME: 'ann', SPACE_ID: 'ann/notes' } })
    first.provider.accounts['1'] = { preferred_username: 'ann' }
    expect(await whoHas(first.server, await signInAs(first.server, 'huggingface', '1'))).toMatchObject({
      id: first.server.owner.id,
    })
  })
})

describe('a user who is signed in', () => {
  const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
  const session = async (server: TestServer, username: string, password: string): Promise<string> => {
    const { headers } = await server.as(null).post('/session', { username, password }, ours)
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const linking = async (server: TestServer, login: string, cookie: string) => {
    const start = await begin(server, 'huggingface')
    const back = await signInAt(start.location.href, login)
    const body = { ...Object.fromEntries(back.searchParams), link: true }
    return server.as(null).post<Session>('/session/oauth/huggingface', body, { ...ours, cookie: `${start.cookie}; ${cookie}` })
  }
  const identities = async (server: TestServer, api_key: string) => (await server.as({ api_key }).get('/me/identities')).body

  it('links an account of a provider, signs in by it from then on, and ends that again', async () => {
    const { provider, server } = await given()
    const bob = await server.createUser({ username: 'bob' })
    provider.accounts['1'] = { preferred_username: 'bob' }
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 409 })
    expect(await linking(server, '1', '')).toMatchObject({ status: 401 })
    const cookie = await session(server, 'bob', bob.password)
    expect(await linking(server, '1', cookie)).toMatchObject({ status: 201, body: { user: { id: bob.id } } })
    expect(await whoHas(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ id: bob.id, in: [] })
    expect(await identities(server, bob.api_key)).toEqual({
      items: [{ provider: 'huggingface', removable: true, inserted_at: expect.any(String) }],
    })
    expect(await server.as(bob).delete('/me/identities?provider=huggingface')).toMatchObject({ status: 204 })
    expect(await identities(server, bob.api_key)).toEqual({ items: [] })
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 409 })
  })

  it('takes no account that is another user, nor a second one of the provider', async () => {
    const { provider, server } = await given()
    const bob = await server.createUser({ username: 'bob' })
    provider.accounts['1'] = { preferred_username: 'ann' }
    provider.accounts['2'] = { preferred_username: 'robert' }
    provider.accounts['3'] = { preferred_username: 'rob' }
    const ann = await whoHas(server, await signInAs(server, 'huggingface', '1'))
    const cookie = async () => session(server, 'bob', bob.password)
    expect(await linking(server, '1', await cookie())).toMatchObject({ status: 409, body: { reason: 'linked_otherwise' } })
    expect((await linking(server, '2', await cookie())).status).toBe(201)
    expect((await linking(server, '2', await cookie())).status).toBe(201)
    expect(await linking(server, '3', await cookie())).toMatchObject({ status: 409, body: { reason: 'linked_otherwise' } })
    expect(await whoHas(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ id: ann.id })
  })

  it('keeps the account that made the user', async () => {
    const { provider, server } = await given()
    provider.accounts['1'] = { preferred_username: 'ann' }
    const answer = await signInAs(server, 'huggingface', '1')
    const bearer = { authorization: `Bearer ${answer.body.access_token}` }
    await server.as(null).delete('/me/identities?provider=huggingface', undefined, bearer)
    expect((await server.as(null).get('/me/identities', bearer)).body).toMatchObject({ items: [{ removable: false }] })
    expect((await signInAs(server, 'huggingface', '1')).status).toBe(200)
  })
})

describe('role and workspaces', () => {
  it('are those of the realm, the highest role of several', async () => {
    const { provider, server } = await given({ name: 'keycloak', keys: ', sync_user: false' })
    provider.accounts['1'] = {
      preferred_username: 'ann',
      ...roles('argilla_role:annotator', 'argilla_role:admin', 'argilla_workspace:third', 'argilla_workspace:not a name'),
    }
    expect(await whoHas(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({ role: 'admin', in: ['third'] })
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_role:owner', 'argilla_workspace:fourth') }
    expect(await whoHas(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({ role: 'admin', in: ['third'] })
    provider.accounts['2'] = { preferred_username: 'bob', ...roles('argilla_role:root') }
    expect(await whoHas(server, await signInAs(server, 'keycloak', '2'))).toMatchObject({
      role: 'annotator',
      in: ['first', 'second'],
    })
  })

  it('follow the provider at each sign-in where the operator wants that', async () => {
    const { provider, server } = await given({ name: 'keycloak', keys: ', sync_user: true' })
    provider.accounts['1'] = {
      preferred_username: 'ann',
      ...roles('argilla_role:admin', 'argilla_workspace:first', 'argilla_workspace:third'),
    }
    const ann = await whoHas(server, await signInAs(server, 'keycloak', '1'))
    expect(ann).toMatchObject({ role: 'admin', in: ['first', 'third'] })
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_workspace:third', 'argilla_workspace:fourth') }
    expect(await whoHas(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({
      id: ann.id,
      role: 'annotator',
      in: ['fourth', 'third'],
    })
  })

  it('are read from tokens, where a provider tells them nowhere else', async () => {
    const { provider, server } = await given({ name: 'keycloak', provider: { inTokens: true } })
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_role:owner') }
    expect(await whoHas(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({ username: 'ann', role: 'owner' })
  })

  it('mean nothing from providers that have no realm', async () => {
    const { provider, server } = await given()
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_role:owner') }
    expect(await whoHas(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ role: 'annotator' })
  })
})

describe('names', () => {
  it('are the part of a verified address before the @ at Google', async () => {
    const { provider, server } = await given({ name: 'google-oauth2' })
    provider.accounts['1'] = { email: 'ann.b@example.org', email_verified: true, given_name: 'Ann' }
    expect(await whoHas(server, await signInAs(server, 'google-oauth2', '1'))).toMatchObject({
      username: 'ann.b',
      first_name: 'Ann',
    })
    provider.accounts['2'] = { email: 'boss@example.org', email_verified: false }
    expect(await signInAs(server, 'google-oauth2', '2')).toMatchObject({ status: 500 })
  })

  it('are what the configuration says at any other issuer', async () => {
    const { provider, server } = await given({ name: 'company', keys: ', username_claim: handle' })
    provider.accounts['1'] = { preferred_username: 'no', handle: 'a.b' }
    expect(await whoHas(server, await signInAs(server, 'company', '1'))).toMatchObject({ username: 'a.b' })
    provider.accounts['2'] = { handle: 'x'.repeat(501) }
    expect(await signInAs(server, 'company', '2')).toMatchObject({ status: 500 })
  })
})

describe('GitHub', () => {
  const givenGithub = async (): Promise<{ github: GithubStandIn; server: TestServer }> => {
    const github = await startGithub({ id: 583231, login: 'octo', name: 'Mona Lisa Octocat' })
    const server = await bootWith(
      `providers: [{name: github, endpoint: "${github.endpoint}", client_id: ${github.client.id}, client_secret: ${github.client.secret}}]`,
    )
    open.push(github, server)
    return { github, server }
  }

  it('tells the user by its API', async () => {
    const { github, server } = await givenGithub()
    const mona = await whoHas(server, await signInAs(server, 'github', 'anybody'))
    expect(mona).toMatchObject({ username: 'octo', first_name: 'Mona', role: 'annotator' })
    github.user = { ...github.user, login: 'renamed', name: null }
    expect(await whoHas(server, await signInAs(server, 'github', 'anybody'))).toMatchObject({ id: mona.id })
    github.user = { id: 2, login: null, name: 'Nobody' }
    expect(await signInAs(server, 'github', 'anybody')).toMatchObject({ status: 500 })
  })

  it('says no with the status of a success, which is a refusal all the same', async () => {
    const { server } = await givenGithub()
    const { cookie, state } = await begin(server, 'github')
    expect(await finish(server, 'github', cookie, `?code=wrong&state=${state}`)).toMatchObject({
      status: 401,
      body: { detail: 'GitHub refused the sign-in (bad_verification_code)' },
    })
  })
})
