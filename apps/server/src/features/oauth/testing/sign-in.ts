import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import { signInAt } from '@postil/testkit/identity-provider.ts'

type Env = { readonly [name: string]: string }
export const PUBLIC = 'https://annotate.example.org'

export const bootWith = async (yaml: string, env: Env = {}): Promise<TestServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'postil oauth '))
  try {
    const file = join(folder, 'oauth.yaml')
    await writeFile(file, yaml)
    return await bootServer({ env: { ARGILLA_AUTH_OAUTH_CFG: file, POSTIL_PUBLIC_URL: PUBLIC, ...env } })
  } finally {
    // The file is only read at startup.
    await rm(folder, { recursive: true, force: true })
  }
}

export type Start = { readonly location: URL; readonly cookie: string; readonly state: string }

export const begin = async (server: TestServer, provider: string, query = ''): Promise<Start> => {
  const answer = await server.clientFor(null).get(`/oauth2/providers/${provider}/authentication${query}`)
  if (answer.status !== 303) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  const location = new URL(answer.headers.get('location') ?? '')
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { location, cookie, state: location.searchParams.get('state') ?? '' }
}

export type Token = {
  readonly access_token: string
  readonly token_type: string
  readonly detail: string
  readonly reason: string
}

export const finish = (server: TestServer, provider: string, cookie: string, query: string): Promise<Response<Token>> =>
  server.clientFor(null).get<Token>(`/oauth2/providers/${provider}/access-token${query}`, { cookie })

/** Signs in at the provider with this login, and completes the sign-in. If `login` is null, the user denies consent there. */
export const signInAs = async (server: TestServer, provider: string, login: string | null): Promise<Response<Token>> => {
  const { location, cookie } = await begin(server, provider)
  const back = await signInAt(location.href, login)
  return finish(server, provider, cookie, back.search)
}

type Me = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly last_name: null
  readonly role: string
}

/** A token's user and their workspaces. */
export const userOfToken = async (
  server: TestServer,
  { body }: Response<Token>,
): Promise<Me & { readonly in: readonly string[] }> => {
  const headers = { authorization: `Bearer ${body.access_token}` }
  const me = await server.clientFor(null).get<Me>('/me', headers)
  const { body: list } = await server
    .clientFor(server.owner)
    .get<{ items: { name: string }[] }>(`/users/${me.body.id}/workspaces`)
  return { ...me.body, in: list.items.map(({ name }) => name).sort() }
}
