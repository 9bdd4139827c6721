import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const factor = '**/api/v1/me/second-factor'
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** As the server says it of somebody who has to show a second factor first. */
const isDue = async (page: Page, due: string): Promise<void> => {
  await page.route('**/api/v1/me', async (route) => {
    const me: object = await (await route.fetch()).json()
    await route.fulfill({ json: { ...me, api_key: '', second_factor_due: due } })
  })
  await page.reload()
  await page.waitForURL('**/second-factor')
}

const begin = async (page: Page): Promise<void> => {
  await isDue(page, 'set_up')
  const uri = `otpauth://totp/Postil:owner?issuer=Postil&secret=${SECRET}`
  const codes = Array.from({ length: 10 }, (_, i) => `ABCD-EFGH-JKL${i}`)
  await page.route(factor, (route) =>
    route.fulfill({ json: route.request().method() === 'POST' ? { secret: SECRET, uri } : { recovery_codes: codes } }),
  )
  await page.locator('main form button[type=submit]').click()
  await page.locator('main form').getByRole('img').waitFor()
}

// What the page has heard of the session holds for the whole page.
const due = (ready: Screen['ready']): Screen => ({ path: '/', who: 'owner', isAlone: true, ready })

/** What comes before everything else where the server asks for a second factor. */
export const dueScreens: { readonly [name: string]: Screen } = {
  'a second step comes first': due(async (page) => {
    await isDue(page, 'set_up')
    await page.locator('main form button[type=submit]').waitFor()
  }),
  'a second step, the app': due(begin),
  'a second step, the recovery codes': due(async (page) => {
    await begin(page)
    await page.locator('main form input').fill('123456')
    await page.locator('main form button[type=submit]').click()
    await page.locator('main li code').nth(9).waitFor()
  }),
  'a code comes first': due(async (page) => {
    await isDue(page, 'code')
    await page.locator('main form input[name=code]').waitFor()
  }),
}
