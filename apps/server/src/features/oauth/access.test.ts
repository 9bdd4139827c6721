import type { InvitationLink } from '@postil/contract/people/account-links.ts'
import type { Session } from '@postil/contract/people/auth.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { detail } from '@postil/testkit/detail.ts'
import { type GithubStandIn, startGithub } from '@postil/testkit/github-stand-in.ts'
import {
  type IdentityProvider,
  type IdentityProviderOptions,
  signInAt,
  startIdentityProvider,
} from '@postil/testkit/identity-provider.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { begin, bootWith, finish, signInAs, userOfToken } from './testing/sign-in.ts'

const open: { readonly close: () => Promise<void> }[] = []
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()))
})

const roles = (...names: string[]) => ({ realm_access: { roles: [...names, 'offline_access'] } })

type OauthFixture = { readonly provider: IdentityProvider; readonly server: TestServer }
type Options = {
  readonly name?: string
  readonly keys?: string
  readonly env?: { readonly [name: string]: string }
  readonly provider?: IdentityProviderOptions
}

const createFixture = async ({ name = 'huggingface', keys = '', env = {}, ...options }: Options = {}): Promise<OauthFixture> => {
  const provider = await startIdentityProvider(options.provider)
  const client = `client_id: ${provider.client.id}, client_secret: ${provider.client.secret}`
  const server = await bootWith(
    `providers: [{name: ${name}, issuer: "${provider.issuer}", ${client}${keys}}]\nallowed_workspaces: [{name: first}, {name: second}]`,
    env,
  )
  open.push(server, provider)
  return { provider, server }
}

describe('a provider account', () => {
  it('stays the same user when its name changes at the provider, and nobody else gets that user when the name is reassigned', async () => {
    const { provider, server } = await createFixture()
    provider.accounts['1'] = { preferred_username: 'ann' }
    const ann = await userOfToken(server, await signInAs(server, 'huggingface', '1'))
    expect(ann).toMatchObject({ username: 'ann', first_name: 'ann', role: 'annotator', in: ['first', 'second'] })
    provider.accounts['1'] = { preferred_username: 'anna' }
    expect(await userOfToken(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ id: ann.id, username: 'ann' })
    provider.accounts['2'] = { preferred_username: 'ann' }
    expect(await signInAs(server, 'huggingface', '2')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('`ann`'), reason: 'name_taken' },
    })
  })

  it('doesn’t take over an existing user with the same name', async () => {
    const { provider, server } = await createFixture()
    provider.accounts['1'] = { preferred_username: 'owner' }
    for (const _ of [1, 2]) expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 409 })
    await server.createUser({ username: 'bob' })
    provider.accounts['2'] = { preferred_username: 'bob' }
    expect(await signInAs(server, 'huggingface', '2')).toMatchObject({ status: 409, body: { reason: 'name_taken' } })
  })

  it('takes over that user once per provider if the operator allows it', async () => {
    const { provider, server } = await createFixture({ env: { POSTIL_OAUTH_LINK_BY_USERNAME: 'true' } })
    const bob = await server.createUser({ username: 'bob', first_name: 'Robert', role: 'admin' })
    provider.accounts['1'] = { preferred_username: 'bob', given_name: 'Bob' }
    const found = await userOfToken(server, await signInAs(server, 'huggingface', '1'))
    expect(found).toMatchObject({ id: bob.id, first_name: 'Robert', role: 'admin', in: [] })
    provider.accounts['2'] = { preferred_username: 'bob' }
    expect(await signInAs(server, 'huggingface', '2')).toMatchObject({ status: 409 })
  })

  it('never takes over a user who chose the name in an invitation', async () => {
    const { provider, server } = await createFixture({ env: { POSTIL_OAUTH_LINK_BY_USERNAME: 'true' } })
    const invitation = { username: 'carol', first_name: 'Carol', workspace_ids: [] }
    const { body } = await server.clientFor(server.owner).post<InvitationLink>('/invitations', invitation)
    const accepted = await server
      .clientFor(null)
      .post<Session>(
        '/invitations/accept',
        { token: body.link.split('#link=')[1], username: 'boss', password: 'few others have it' },
        { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' },
      )
    expect(accepted.status).toBe(201)
    provider.accounts['1'] = { preferred_username: 'boss' }
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 409, body: { reason: 'name_taken' } })
  })

  it('is refused while its user is deactivated, including when it would take over that user', async () => {
    const { provider, server } = await createFixture({ env: { POSTIL_OAUTH_LINK_BY_USERNAME: 'true' } })
    const bob = await server.createUser({ username: 'bob' })
    provider.accounts['1'] = { preferred_username: 'bob' }
    const set = (active: boolean) => server.clientFor(server.owner).patch(`/users/${bob.id}`, { active })
    await set(false)
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 401, body: { reason: 'deactivated' } })
    await set(true)
    expect((await signInAs(server, 'huggingface', '1')).status).toBe(200)
    await set(false)
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 401, body: { reason: 'deactivated' } })
  })

  it('stops working when its user is deleted, and can return as a new user', async () => {
    const { provider, server } = await createFixture()
    provider.accounts['1'] = { preferred_username: 'ann' }
    const before = await userOfToken(server, await signInAs(server, 'huggingface', '1'))
    await server.clientFor(server.owner).delete(`/users/${before.id}`)
    const after = await userOfToken(server, await signInAs(server, 'huggingface', '1'))
    expect(after.username).toBe('ann')
    expect(after.id).not.toBe(before.id)
  })

  detail('creates one user when it signs in twice at once', async () => {
    const { provider, server } = await createFixture()
    for (const account of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      provider.accounts[account] = { preferred_username: `ann-${account}` }
      const answers = await Promise.all([1, 2, 3].map(() => signInAs(server, 'huggingface', account)))
      expect(answers.map(({ body }) => body.reason)).toEqual([undefined, undefined, undefined])
      const ids = await Promise.all(answers.map(async (answer) => (await userOfToken(server, answer)).id))
      expect(new Set(ids).size).toBe(1)
    }
  })

  detail('becomes an owner only by the Space author’s name, inside a Space', async () => {
    const notInSpace = await createFixture({ env: { USERNAME: 'ann' } })
    notInSpace.provider.accounts['1'] = { preferred_username: 'ann' }
    expect(await userOfToken(notInSpace.server, await signInAs(notInSpace.server, 'huggingface', '1'))).toMatchObject({
      role: 'annotator',
    })

    const inSpace = await createFixture({ env: { USERNAME: 'ann', SPACE_ID: 'ann/notes', POSTIL_OWNER_USERNAME: 'owner' } })
    inSpace.provider.accounts['1'] = { preferred_username: 'ann' }
    inSpace.provider.accounts['2'] = { preferred_username: 'bob' }
    expect(await userOfToken(inSpace.server, await signInAs(inSpace.server, 'huggingface', '1'))).toMatchObject({ role: 'owner' })
    expect(await userOfToken(inSpace.server, await signInAs(inSpace.server, 'huggingface', '2'))).toMatchObject({
      role: 'annotator',
    })

    const first = await createFixture({ env: { USERNAME: 'ann', SPACE_ID: 'ann/notes' } })
    first.provider.accounts['1'] = { preferred_username: 'ann' }
    expect(await userOfToken(first.server, await signInAs(first.server, 'huggingface', '1'))).toMatchObject({
      id: first.server.owner.id,
    })
  })
})

describe('a signed-in user', () => {
  const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
  const session = async (server: TestServer, username: string, password: string): Promise<string> => {
    const { headers } = await server.clientFor(null).post('/session', { username, password }, sameOriginHeaders)
    return headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  const linking = async (server: TestServer, login: string, cookie: string) => {
    const start = await begin(server, 'huggingface')
    const back = await signInAt(start.location.href, login)
    const body = { ...Object.fromEntries(back.searchParams), link: true }
    return server
      .clientFor(null)
      .post<Session>('/session/oauth/huggingface', body, { ...sameOriginHeaders, cookie: `${start.cookie}; ${cookie}` })
  }
  const identities = async (server: TestServer, api_key: string) =>
    (await server.clientFor({ api_key }).get('/me/identities')).body

  it('links a provider account, signs in with it, and unlinks it', async () => {
    const { provider, server } = await createFixture()
    const bob = await server.createUser({ username: 'bob' })
    provider.accounts['1'] = { preferred_username: 'bob' }
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 409 })
    expect(await linking(server, '1', '')).toMatchObject({ status: 401 })
    const cookie = await session(server, 'bob', bob.password)
    expect(await linking(server, '1', cookie)).toMatchObject({ status: 201, body: { user: { id: bob.id } } })
    expect(await userOfToken(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ id: bob.id, in: [] })
    expect(await identities(server, bob.api_key)).toEqual({
      items: [{ provider: 'huggingface', removable: true, inserted_at: expect.any(String) }],
    })
    expect(await server.clientFor(bob).delete('/me/identities?provider=huggingface')).toMatchObject({ status: 204 })
    expect(await identities(server, bob.api_key)).toEqual({ items: [] })
    expect(await signInAs(server, 'huggingface', '1')).toMatchObject({ status: 409 })
  })

  detail('can’t link an account that belongs to another user, or a second account of the provider', async () => {
    const { provider, server } = await createFixture()
    const bob = await server.createUser({ username: 'bob' })
    provider.accounts['1'] = { preferred_username: 'ann' }
    provider.accounts['2'] = { preferred_username: 'robert' }
    provider.accounts['3'] = { preferred_username: 'rob' }
    const ann = await userOfToken(server, await signInAs(server, 'huggingface', '1'))
    const cookie = async () => session(server, 'bob', bob.password)
    expect(await linking(server, '1', await cookie())).toMatchObject({ status: 409, body: { reason: 'linked_otherwise' } })
    expect((await linking(server, '2', await cookie())).status).toBe(201)
    expect((await linking(server, '2', await cookie())).status).toBe(201)
    expect(await linking(server, '3', await cookie())).toMatchObject({ status: 409, body: { reason: 'linked_otherwise' } })
    expect(await userOfToken(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ id: ann.id })
  })

  detail('can’t unlink the account that created the user', async () => {
    const { provider, server } = await createFixture()
    provider.accounts['1'] = { preferred_username: 'ann' }
    const answer = await signInAs(server, 'huggingface', '1')
    const bearer = { authorization: `Bearer ${answer.body.access_token}` }
    await server.clientFor(null).delete('/me/identities?provider=huggingface', undefined, bearer)
    expect((await server.clientFor(null).get('/me/identities', bearer)).body).toMatchObject({ items: [{ removable: false }] })
    expect((await signInAs(server, 'huggingface', '1')).status).toBe(200)
  })
})

describe('role and workspaces', () => {
  detail('come from the realm, with the highest of several roles', async () => {
    const { provider, server } = await createFixture({ name: 'keycloak', keys: ', sync_user: false' })
    provider.accounts['1'] = {
      preferred_username: 'ann',
      ...roles('argilla_role:annotator', 'argilla_role:admin', 'argilla_workspace:third', 'argilla_workspace:not a name'),
    }
    expect(await userOfToken(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({ role: 'admin', in: ['third'] })
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_role:owner', 'argilla_workspace:fourth') }
    expect(await userOfToken(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({ role: 'admin', in: ['third'] })
    provider.accounts['2'] = { preferred_username: 'bob', ...roles('argilla_role:root') }
    expect(await userOfToken(server, await signInAs(server, 'keycloak', '2'))).toMatchObject({
      role: 'annotator',
      in: ['first', 'second'],
    })
  })

  it('follow the provider at each sign-in if the operator enables it', async () => {
    const { provider, server } = await createFixture({ name: 'keycloak', keys: ', sync_user: true' })
    provider.accounts['1'] = {
      preferred_username: 'ann',
      ...roles('argilla_role:admin', 'argilla_workspace:first', 'argilla_workspace:third'),
    }
    const ann = await userOfToken(server, await signInAs(server, 'keycloak', '1'))
    expect(ann).toMatchObject({ role: 'admin', in: ['first', 'third'] })
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_workspace:third', 'argilla_workspace:fourth') }
    expect(await userOfToken(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({
      id: ann.id,
      role: 'annotator',
      in: ['fourth', 'third'],
    })
  })

  detail('are read from tokens when the provider offers no other source', async () => {
    const { provider, server } = await createFixture({ name: 'keycloak', provider: { inTokens: true } })
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_role:owner') }
    expect(await userOfToken(server, await signInAs(server, 'keycloak', '1'))).toMatchObject({ username: 'ann', role: 'owner' })
  })

  detail('are ignored from providers without a realm', async () => {
    const { provider, server } = await createFixture()
    provider.accounts['1'] = { preferred_username: 'ann', ...roles('argilla_role:owner') }
    expect(await userOfToken(server, await signInAs(server, 'huggingface', '1'))).toMatchObject({ role: 'annotator' })
  })
})

describe('usernames', () => {
  detail('are the local part of the verified email address at Google', async () => {
    const { provider, server } = await createFixture({ name: 'google-oauth2' })
    provider.accounts['1'] = { email: 'ann.b@example.org', email_verified: true, given_name: 'Ann' }
    expect(await userOfToken(server, await signInAs(server, 'google-oauth2', '1'))).toMatchObject({
      username: 'ann.b',
      first_name: 'Ann',
    })
    provider.accounts['2'] = { email: 'boss@example.org', email_verified: false }
    expect(await signInAs(server, 'google-oauth2', '2')).toMatchObject({ status: 500 })
  })

  detail('come from the configured claim at any other issuer', async () => {
    const { provider, server } = await createFixture({ name: 'company', keys: ', username_claim: handle' })
    provider.accounts['1'] = { preferred_username: 'no', handle: 'a.b' }
    expect(await userOfToken(server, await signInAs(server, 'company', '1'))).toMatchObject({ username: 'a.b' })
    provider.accounts['2'] = { handle: 'x'.repeat(501) }
    expect(await signInAs(server, 'company', '2')).toMatchObject({ status: 500 })
  })
})

describe('GitHub', () => {
  const createGithubFixture = async (): Promise<{ github: GithubStandIn; server: TestServer }> => {
    const github = await startGithub({ id: 583231, login: 'octo', name: 'Mona Lisa Octocat' })
    const server = await bootWith(
      `providers: [{name: github, endpoint: "${github.endpoint}", client_id: ${github.client.id}, client_secret: ${github.client.secret}}]`,
    )
    open.push(github, server)
    return { github, server }
  }

  it('identifies the user through its API', async () => {
    const { github, server } = await createGithubFixture()
    const mona = await userOfToken(server, await signInAs(server, 'github', 'anybody'))
    expect(mona).toMatchObject({ username: 'octo', first_name: 'Mona', role: 'annotator' })
    github.user = { ...github.user, login: 'renamed', name: null }
    expect(await userOfToken(server, await signInAs(server, 'github', 'anybody'))).toMatchObject({ id: mona.id })
    github.user = { id: 2, login: null, name: 'Nobody' }
    expect(await signInAs(server, 'github', 'anybody')).toMatchObject({ status: 500 })
  })

  detail('treats an error in a successful response as a refusal', async () => {
    const { server } = await createGithubFixture()
    const { cookie, state } = await begin(server, 'github')
    expect(await finish(server, 'github', cookie, `?code=wrong&state=${state}`)).toMatchObject({
      status: 401,
      body: { detail: 'GitHub refused the sign-in (bad_verification_code)' },
    })
  })
})
