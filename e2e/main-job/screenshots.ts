import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type OpenPage, openPage, PHONE } from '../harness/browser.ts'
import type { RunningServer } from '../harness/server.ts'
import { uiPattern } from '../harness/ui-text.ts'
import { createSession } from '../web/support/sign-in.ts'
import { byMouse } from './by-mouse.ts'
import type { Annotator, JobRecord } from './data.ts'
import { screenOf } from './screen.ts'
import type { Job, Labels } from './work.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'images')

/** Whether a record shows all features: both kinds of spans, a suggestion, visible tags and a text of medium length. */
const isIllustrative = ({ fields, suggestions, answer }: JobRecord, { section, tags }: Labels): boolean => {
  const kinds = new Set(answer.mentions.map(({ label }) => label))
  return (
    /^[\x20-\x7e]{180,420}$/.test(fields.description) &&
    kinds.size === 2 &&
    answer.mentions.length >= 3 &&
    answer.mentions.length <= 7 &&
    section.indexOf(answer.section) < 10 &&
    suggestions[0]?.value === answer.section &&
    answer.tags.every((tag) => tags.indexOf(tag) < 10)
  )
}

const findRecord = async (page: Page, { records, labels }: Job): Promise<JobRecord> => {
  const screen = screenOf(page)
  let shown: string | null = null
  for (;;) {
    shown = await screen.next(shown, 'section')
    const record = records.get(shown)
    if (record && isIllustrative(record, labels)) return record
    await page.keyboard.press('ArrowRight')
  }
}

const takeScreenshot = async ({ page }: OpenPage, name: string): Promise<void> => {
  await page.mouse.move(0, 450)
  await page.getByRole('button', { name: uiPattern('common:user.menu') }).waitFor()
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined))))
  await page.screenshot({ path: join(folder, `${name}.png`), caret: 'hide' })
}

/**
 * Takes the documentation's screenshots: a half-answered record in the light theme, in the dark theme and on a phone, and the
 * list of datasets.
 */
export const takeScreenshots = async (
  browser: Browser,
  server: RunningServer,
  { datasetId, annotator, job }: { readonly datasetId: string; readonly annotator: Annotator; readonly job: Job },
): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const open = async (options: Parameters<typeof openPage>[2], path: string): Promise<OpenPage> => {
    const opened = await openPage(browser, server.url, { theme: 'system', ...options })
    await createSession(opened.page, server.url, annotator.username, annotator.password)
    await opened.page.goto(path)
    return opened
  }
  const record = `/dataset/${datasetId}/annotation-mode`

  const desktop = await open({}, record)
  const { page } = desktop
  const found = await findRecord(page, job)
  await byMouse(page, screenOf(page)).answer(found, found.answer, { ...job.labels, candidates: [] })
  await takeScreenshot(desktop, 'annotation')
  await page.emulateMedia({ colorScheme: 'dark' })
  await takeScreenshot(desktop, 'annotation-dark')
  await desktop.close()

  const phone = await open(PHONE, record)
  await findRecord(phone.page, job)
  await takeScreenshot(phone, 'annotation-phone')
  await phone.close()

  const home = await open({}, '/')
  await home.page.getByRole('link', { name: job.dataset, exact: true }).waitFor()
  await takeScreenshot(home, 'home')
  await home.close()
}
