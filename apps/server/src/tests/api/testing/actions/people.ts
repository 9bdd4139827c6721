import type { FileLink } from '@postil/contract/files/stored-files.ts'
import type { InvitationLink, NewPasswordLink } from '@postil/contract/people/account-links.ts'
import { createLinkFor } from '#features/auth/service.ts'
import { type ApiFixture, must, type Who } from '../fixture.ts'
import { storedImage } from '../imports.ts'
import { activated, asSomebodyNew, begun, codeOf } from '../second-factor.ts'
import { type Sent, send } from '../send.ts'
import { type Action, admins, allAdmins, everyone, members, owners } from './action.ts'

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

/** The headers of a request that a browser with a session sends. */
const fromBrowser = async ({ server, users }: ApiFixture, who: Who): Promise<Sent> => {
  const { username, password } = users[who]
  const { headers } = await server.clientFor(null).post('/session', { username, password }, ours)
  return { headers: { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', ...ours } }
}

/** A browser request from a new user who uses two-factor authentication and has signed in without entering a code. */
const withoutCode = async ({ server, users }: ApiFixture, who: Who): Promise<Sent> => {
  const user = await server.createUser({ role: users[who].role })
  const { codes } = await activated(server.clientFor(user), user)
  const token = await createLinkFor(server.app.ctx, user)
  const { headers } = await server.clientFor(null).post('/session/link', { token }, ours)
  return { body: { code: codes[0] }, headers: { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', ...ours } }
}

/** An action that all users can take on their own two-factor authentication. */
const ownFactor = (id: string, steps: Parameters<typeof asSomebodyNew>[0]): Action => ({
  id,
  allowed: everyone,
  personal: true,
  anonymous: true,
  request: asSomebodyNew(steps),
})

let count = 0
const newUserBody = () => ({ first_name: 'New', username: `new user ${++count}`, password: 'long enough' })

export const sessionActions: readonly Action[] = [
  { id: 'session.get', allowed: everyone, personal: true, anonymous: true, request: fromBrowser },
  { id: 'session.show_second_factor', allowed: everyone, personal: true, anonymous: true, request: withoutCode },
  { id: 'session.delete', allowed: everyone, personal: true, anonymous: true, request: fromBrowser },
  { id: 'session.list_mine', allowed: everyone, personal: true, anonymous: true, request: fromBrowser },
  {
    id: 'session.delete_mine',
    allowed: everyone,
    missing: 'found first',
    personal: true,
    anonymous: true,
    request: async (fixture, who) => {
      const sent = await fromBrowser(fixture, who)
      const { body } = await fixture.server
        .clientFor(null)
        .get<{ items: { id: string; current: boolean }[] }>('/me/sessions', sent.headers)
      return { ...sent, params: { session_id: body.items.find(({ current }) => current)?.id ?? '' } }
    },
  },
  { id: 'session.delete_all', allowed: everyone, personal: true, anonymous: true, request: fromBrowser },
]

export const userActions: readonly Action[] = [
  { id: 'oauth.my_identities', allowed: everyone, request: () => ({}) },
  { id: 'oauth.delete_my_identity', allowed: everyone, request: () => ({ query: { provider: 'github' } }) },
  { id: 'users.me', allowed: everyone, request: () => ({}) },
  {
    id: 'users.change_my_password',
    allowed: everyone,
    request: ({ users }, who) => ({ body: { current_password: users[who].password, password: users[who].password } }),
  },
  { id: 'second_factor.get', allowed: everyone, request: () => ({}) },
  ownFactor('second_factor.begin', async (_, { password }) => ({ current_password: password })),
  ownFactor('second_factor.activate', async (client, user) => ({ code: codeOf(await begun(client, user)) })),
  ownFactor('second_factor.renew', async (client, user) => ({ code: codeOf((await activated(client, user)).app, 1) })),
  ownFactor('second_factor.remove', async (client, user) => ({
    code: (await activated(client, user)).codes[0],
    current_password: user.password,
  })),
  {
    id: 'users.remove_second_factor',
    allowed: owners,
    missing: 'found first',
    request: async ({ newUser }) => ({ params: { user_id: (await newUser()).id } }),
  },
  {
    id: 'users.delete_sessions',
    allowed: owners,
    missing: 'found first',
    request: async ({ newUser }) => ({ params: { user_id: (await newUser()).id } }),
  },
  { id: 'users.list', allowed: owners, request: () => ({}) },
  {
    id: 'users.get',
    allowed: owners,
    missing: 'allowed first',
    request: ({ colleague }) => ({ params: { user_id: colleague.id } }),
  },
  {
    id: 'users.get',
    what: 'the caller',
    allowed: owners,
    personal: true,
    request: ({ users }, who) => ({ params: { user_id: users[who].id } }),
  },
  { id: 'users.create', allowed: owners, request: () => ({ body: newUserBody() }) },
  {
    id: 'users.update',
    allowed: owners,
    missing: 'found first',
    request: async ({ newUser }) => ({ params: { user_id: (await newUser()).id }, body: { first_name: 'Changed' } }),
  },
  {
    id: 'users.update',
    what: 'the caller',
    allowed: owners,
    personal: true,
    request: ({ users }, who) => ({ params: { user_id: users[who].id }, body: {} }),
  },
  {
    id: 'users.change_api_key',
    what: "someone else's",
    allowed: owners,
    missing: 'found first',
    request: async ({ newUser }) => ({ params: { user_id: (await newUser()).id } }),
  },
  {
    id: 'users.delete',
    allowed: owners,
    missing: 'found first',
    request: async ({ newUser }) => ({ params: { user_id: (await newUser()).id } }),
  },
  {
    id: 'users.workspaces',
    allowed: owners,
    missing: 'allowed first',
    request: ({ colleague }) => ({ params: { user_id: colleague.id } }),
  },
]

const invited = async ({ owner, workspace }: ApiFixture) => {
  const body = { first_name: 'Invited', username: `invited ${++count}`, workspace_ids: [workspace.id] }
  const { id, link } = must(await owner.post<InvitationLink>('/invitations', body))
  return { id, token: tokenOf(link) }
}
const tokenOf = (link: string): string => link.split('#link=')[1] ?? ''
const passwordToken = async ({ owner, newUser }: ApiFixture): Promise<string> => {
  const { id } = await newUser()
  return tokenOf(must(await owner.post<NewPasswordLink>(`/users/${id}/password-link`)).link)
}

export const accountLinkActions: readonly Action[] = [
  { id: 'people.list', allowed: allAdmins, request: () => ({}) },
  { id: 'invitations.list', allowed: allAdmins, request: () => ({}) },
  {
    id: 'invitations.create',
    allowed: admins,
    request: ({ workspace }) => ({
      body: { first_name: 'Invited', username: `invited ${++count}`, workspace_ids: [workspace.id] },
    }),
  },
  {
    id: 'invitations.create',
    what: 'of an admin',
    allowed: owners,
    request: ({ workspace }) => ({
      body: { first_name: 'Invited', username: `invited ${++count}`, role: 'admin', workspace_ids: [workspace.id] },
    }),
  },
  {
    id: 'invitations.create',
    what: 'without a workspace',
    allowed: owners,
    request: () => ({ body: { first_name: 'Invited', username: `invited ${++count}`, workspace_ids: [] } }),
  },
  {
    id: 'invitations.renew',
    allowed: admins,
    missing: 'allowed first',
    request: async (fixture) => ({ params: { invitation_id: (await invited(fixture)).id } }),
  },
  {
    id: 'invitations.delete',
    allowed: admins,
    missing: 'allowed first',
    request: async (fixture) => ({ params: { invitation_id: (await invited(fixture)).id } }),
  },
  { id: 'password_links.list', allowed: owners, request: () => ({}) },
  {
    id: 'users.create_password_link',
    allowed: owners,
    missing: 'found first',
    request: async ({ newUser }) => ({ params: { user_id: (await newUser()).id } }),
  },
  {
    id: 'users.delete_password_link',
    allowed: owners,
    missing: 'found first',
    request: async ({ newUser }) => ({ params: { user_id: (await newUser()).id } }),
  },
]

export const workspaceActions: readonly Action[] = [
  { id: 'workspaces.list_mine', allowed: everyone, request: () => ({}) },
  { id: 'workspaces.create', allowed: owners, request: () => ({ body: { name: `made-${++count}` } }) },
  {
    id: 'workspaces.get',
    allowed: members,
    missing: 'allowed first',
    request: ({ workspace }) => ({ params: { workspace_id: workspace.id } }),
  },
  {
    id: 'workspaces.delete',
    allowed: owners,
    missing: 'allowed first',
    request: async ({ newWorkspace }) => ({ params: { workspace_id: (await newWorkspace()).id } }),
  },
  {
    id: 'workspaces.users',
    allowed: admins,
    missing: 'allowed first',
    request: ({ workspace }) => ({ params: { workspace_id: workspace.id } }),
  },
  {
    id: 'workspaces.add_user',
    allowed: owners,
    missing: 'allowed first',
    request: async ({ workspace, newUser }) => ({
      params: { workspace_id: workspace.id },
      body: { user_id: (await newUser()).id },
    }),
  },
  {
    id: 'workspaces.remove_user',
    allowed: admins,
    missing: 'found first',
    request: async ({ workspace, newUser }) => ({
      params: { workspace_id: workspace.id, user_id: (await newUser([workspace.id])).id },
    }),
  },
]

/** For each public route, a request that anybody can send, with or without credentials. */
export const publicRequests: { readonly [id: string]: (fixture: ApiFixture) => Sent | Promise<Sent> } = {
  'auth.token': ({ users }) => ({ body: { username: users.annotatorIn.username, password: users.annotatorIn.password } }),
  'session.create': ({ users }) => ({
    body: { username: users.annotatorIn.username, password: users.annotatorIn.password },
    headers: ours,
  }),
  'session.create_by_link': async ({ server, users }) => ({
    body: { token: await createLinkFor(server.app.ctx, users.annotatorIn) },
    headers: ours,
  }),
  'invitations.read': async (fixture) => ({ body: { token: (await invited(fixture)).token }, headers: ours }),
  'invitations.accept': async (fixture) => ({
    body: { token: (await invited(fixture)).token, username: `accepted ${++count}`, password: 'chosen by a person' },
    headers: ours,
  }),
  'password_links.read': async (fixture) => ({ body: { token: await passwordToken(fixture) }, headers: ours }),
  'password_links.use': async (fixture) => ({
    body: { token: await passwordToken(fixture), password: 'chosen by a person' },
    headers: ours,
  }),
  'oauth.providers': () => ({}),
  'info.settings': () => ({}),
  'info.version': () => ({}),
  'info.status': () => ({}),
  'files.linked': async (fixture) => {
    const params = await storedImage(fixture)
    const link = await send<FileLink>(fixture.as('owner'), 'files.link', { params })
    return { params, query: Object.fromEntries(new URL(link.body.path, fixture.server.url).searchParams) }
  },
}
/** Requests to public routes for objects that don't exist on this server. The response is 404, with or without credentials. */
export const publicButMissing: { readonly [id: string]: Sent } = {
  'oauth.authentication': {},
  'oauth.access_token': {},
  'session.create_by_provider': { body: {}, headers: ours },
  'session.create_demo': { headers: ours },
  'session.hand_over': { body: {}, headers: ours },
}
