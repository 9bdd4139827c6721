import type { Session } from '@postil/contract/people/auth.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { Response } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { createLinkFor } from '../../service.ts'

export const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

/** Headers of a browser that has the session of an answer. */
export type Browser = { readonly [name: string]: string }
export const browserOf = ({ headers }: Pick<Response<unknown>, 'headers'>): Browser => ({
  cookie: headers.get('set-cookie')?.split(';')[0] ?? '',
  ...ours,
})

export const byPassword = ({ as }: TestServer, { username, password }: TestUser, code?: string) =>
  as(null).post<Session>('/session', { username, password, code }, ours)

export const byLink = async ({ as, app }: TestServer, user: TestUser) =>
  as(null).post<Session>('/session/link', { token: await createLinkFor(app.ctx, user) }, ours)

/** Headers of a program with a bearer token. */
export const byToken = async ({ url }: TestServer, { username, password }: TestUser, code?: string): Promise<Browser> => {
  const body = new URLSearchParams({ username, password, ...(code !== undefined && { code }) })
  const answer = (await (await fetch(`${url}/api/v1/token`, { method: 'POST', body })).json()) as { access_token: string }
  return { authorization: `Bearer ${answer.access_token}` }
}

/** What is due of whoever sends these headers: undefined where nothing is, null where they are nobody. */
export const dueOf = async ({ as }: TestServer, headers: Browser): Promise<string | undefined | null> => {
  const { status, body } = await as(null).get<{ second_factor_due?: string }>('/me', headers)
  return status === 200 ? body.second_factor_due : null
}
