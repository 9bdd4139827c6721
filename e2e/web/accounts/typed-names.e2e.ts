import { expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { givenUser, PASSWORD } from '../ground/given.ts'
import { setUpTeam } from '../ground/team.ts'

const team = setUpTeam()

test.each([
  { typed: ' ann ', who: 'ann' },
  { typed: 'bob ', who: 'bob ' },
])('$typed comes in as $who: blanks around a name are left out where nobody has it so', async ({ typed, who }) => {
  await givenUser(team.server, who, 'annotator')
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
