import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'

const team = setUpTeam()

test.each([
  { typed: ' ann ', who: 'ann' },
  { typed: 'bob ', who: 'bob ' },
])('$typed signs in as $who: surrounding whitespace is ignored unless a username contains it', async ({ typed, who }) => {
  await seedUser(team.server, who, 'annotator')
  const { page, complaints, close } = await openPage(team.browser, team.server.url)
  await page.goto('/sign-in')
  await page.getByLabel(ui('features/auth:username')).fill(typed)
  await page.getByLabel(ui('features/auth:password')).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: ui('features/home:title'), level: 1 }).waitFor()
  const signedIn = await page.evaluate(async () => ((await (await fetch('/api/v1/me')).json()) as { username: string }).username)
  expect(signedIn).toBe(who)
  expect(complaints()).toEqual([])
  await close()
})
