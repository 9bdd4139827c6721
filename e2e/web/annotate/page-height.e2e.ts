import { expect, test } from 'vitest'
import { DESKTOP, openPage, PHONE } from '../../harness/browser.ts'
import { openAnnotation, seedAnnotationDataset } from '../fixtures/annotation.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpSharedTeam()

test("pages that fit the window don't scroll: annotation, settings and not found, on desktop and phone", async () => {
  const id = await seedAnnotationDataset(team.server, {
    name: 'high',
    workspaceId: team.workspaceId,
    records: [{ fields: { text: 'Some text.' } }],
  })
  for (const size of [DESKTOP, PHONE]) {
    const { page, complaints, close } = await openPage(team.browser, team.server.url, size)
    await createSession(page, team.server.url)
    await openAnnotation(page, id)
    const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
    // An announcement may contain text for a while. It must not make the page scroll.
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('body > [role=status]').count()).toBe(1)
    await expect.poll(beyond).toBe(0)
    await page.goto('/nowhere')
    await page.locator('main h1, main h2').first().waitFor()
    await expect.poll(beyond).toBe(0)
    await page.goto(`/dataset/${id}/settings`)
    await page.locator('main h1, main h2').first().waitFor()
    const widest = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(widest).toBe(0)
    expect(complaints()).toEqual([])
    await close()
  }
})
