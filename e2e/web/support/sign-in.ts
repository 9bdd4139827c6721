import type { Page } from 'playwright-core'
import { OWNER } from '../../harness/server.ts'
import { ui } from '../../harness/ui-text.ts'

/** Fills in the sign-in form and waits for the next page. */
export const signIn = async (page: Page, username: string = OWNER.username, password: string = OWNER.password): Promise<void> => {
  if (!new URL(page.url(), 'http://x').pathname.endsWith('/sign-in')) await page.goto('sign-in')
  await page.getByLabel(ui('features/auth:username')).fill(username)
  await page.getByLabel(ui('features/auth:password')).fill(password)
  await page.getByRole('button', { name: ui('features/auth:signIn') }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
}

/** Signs the browser in without the form. */
export const createSession = async (
  page: Page,
  url: string,
  username: string = OWNER.username,
  password: string = OWNER.password,
) => {
  const answer = await page.request.post(`${url}/api/v1/session`, {
    data: { username, password },
    headers: { 'x-postil-csrf': '1', origin: new URL(url).origin },
  })
  if (!answer.ok()) throw new Error(`No session: ${answer.status()} ${await answer.text()}`)
}
