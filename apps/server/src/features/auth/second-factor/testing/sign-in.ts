import type { Session } from '@postil/contract/people/auth.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { createLinkFor } from '../../service.ts'

export const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

/** Headers of a browser with the session from a response. */
export type Browser = { readonly [name: string]: string }
export const browserOf = ({ headers }: Pick<Response<unknown>, 'headers'>): Browser => ({
  cookie: headers.get('set-cookie')?.split(';')[0] ?? '',
  ...sameOriginHeaders,
})

export const byPassword = ({ clientFor }: TestServer, { username, password }: TestUser, code?: string) =>
  clientFor(null).post<Session>('/session', { username, password, code }, sameOriginHeaders)

export const byLink = async ({ clientFor, app }: TestServer, user: TestUser) =>
  clientFor(null).post<Session>('/session/link', { token: await createLinkFor(app.ctx, user) }, sameOriginHeaders)

/** Headers of a client that uses a bearer token. */
export const byToken = async ({ url }: TestServer, { username, password }: TestUser, code?: string): Promise<Browser> => {
  const body = new URLSearchParams({ username, password, ...(code !== undefined && { code }) })
  const answer = (await (await fetch(`${url}/api/v1/token`, { method: 'POST', body })).json()) as { access_token: string }
  return { authorization: `Bearer ${answer.access_token}` }
}

/** The value of `second_factor_due` for these headers: undefined if nothing is due, null if the headers identify no user. */
export const dueOf = async ({ clientFor }: TestServer, headers: Browser): Promise<string | undefined | null> => {
  const { status, body } = await clientFor(null).get<{ second_factor_due?: string }>('/me', headers)
  return status === 200 ? body.second_factor_due : null
}
