import type { Page } from 'playwright-core'
import type { Screen } from './screen.ts'

const factor = '**/api/v1/me/second-factor'
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

/** Changes the server's response so that the user has to provide a second factor first. */
const requireSecondFactor = async (page: Page, due: string): Promise<void> => {
  await page.route('**/api/v1/me', async (route) => {
    const me: object = await (await route.fetch()).json()
    await route.fulfill({ json: { ...me, api_key: '', second_factor_due: due } })
  })
  await page.reload()
  await page.waitForURL('**/second-factor')
}

const startSetUp = async (page: Page): Promise<void> => {
  await requireSecondFactor(page, 'set_up')
  const uri = `otpauth://totp/Postil:owner?issuer=Postil&secret=${SECRET}`
  const codes = Array.from({ length: 10 }, (_, i) => `ABCD-EFGH-JKL${i}`)
  await page.route(factor, (route) =>
    route.fulfill({ json: route.request().method() === 'POST' ? { secret: SECRET, uri } : { recovery_codes: codes } }),
  )
  await page.locator('main form button[type=submit]').click()
  await page.locator('main form').getByRole('img').waitFor()
}

// The page remembers the changed session, so the next screen must reload the page.
const secondFactorScreen = (ready: Screen['ready']): Screen => ({ path: '/', who: 'owner', isAlone: true, ready })

/** The screens that come first when the server requires two-factor authentication. */
export const secondFactorScreens: { readonly [name: string]: Screen } = {
  'two-factor setup, required': secondFactorScreen(async (page) => {
    await requireSecondFactor(page, 'set_up')
    await page.locator('main form button[type=submit]').waitFor()
  }),
  'two-factor setup, the app': secondFactorScreen(startSetUp),
  'two-factor setup, the recovery codes': secondFactorScreen(async (page) => {
    await startSetUp(page)
    await page.locator('main form input').fill('123456')
    await page.locator('main form button[type=submit]').click()
    await page.locator('main li code').nth(9).waitFor()
  }),
  'a required code': secondFactorScreen(async (page) => {
    await requireSecondFactor(page, 'code')
    await page.locator('main form input[name=code]').waitFor()
  }),
}
