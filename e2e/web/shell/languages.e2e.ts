import { expect, test } from 'vitest'
import { findViolations, openPage, PHONE } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'

const team = setUpTeam()

test('a first-time visitor sees the language of their browser, and can choose another before signing in', async () => {
  await seedUser(team.server, 'first', 'annotator')
  const { page, close, complaints } = await openPage(team.browser, team.server.url, { locale: 'de-AT' })
  await page.goto('/')
  await page.getByRole('heading', { name: ui('features/auth:signIn', {}, 'de') }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  await page.getByRole('combobox', { name: ui('common:user.language', {}, 'de') }).selectOption('es')
  await page.getByRole('heading', { name: ui('features/auth:signIn', {}, 'es') }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.reload()
  await page.getByRole('textbox', { name: ui('features/auth:username', {}, 'es') }).fill('first')
  await page.getByRole('textbox', { name: ui('features/auth:password', {}, 'es') }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: ui('features/home:title', {}, 'es') }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

test('a browser without a supported language gets English', async () => {
  const { page, close } = await openPage(team.browser, team.server.url, { ...PHONE, locale: 'fi-FI' })
  await page.goto('/sign-in')
  await page.getByRole('heading', { name: ui('features/auth:signIn') }).waitFor()
  await page.getByRole('combobox', { name: ui('common:user.language') }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await close()
})
