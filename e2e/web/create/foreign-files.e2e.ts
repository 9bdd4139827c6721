import { detail } from '@postil/testkit/detail.ts'
import { otlpRequest, otlpSpan } from '@postil/testkit/otlp.ts'
import { beforeAll, expect, test } from 'vitest'
import { openPage } from '../../harness/browser.ts'
import { ui } from '../../harness/ui-text.ts'
import { PASSWORD, seedUser } from '../fixtures/seed.ts'
import { setUpTeam } from '../fixtures/team.ts'
import { choose, chooseRole, importEnded } from '../support/creation-form.ts'
import { createSession } from '../support/sign-in.ts'

const team = setUpTeam()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

const result = (from_name: string, type: string, value: object) => ({ from_name, to_name: 'text', type, value })
const task = (id: number, text: string, label: string, mood: string) => ({
  id,
  annotations: [
    {
      completed_by: 1,
      was_cancelled: false,
      result: [
        result('label', 'labels', { start: 0, end: 5, text: text.slice(0, 5), labels: [label] }),
        result('mood', 'choices', { choices: [mood] }),
      ],
    },
  ],
  data: { text, source: 'mail' },
  project: 7,
})

test('an export of Label Studio becomes a dataset without any change to the mapping', async () => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/new')
  const tasks = [
    task(1, 'Maria works in Berlin', 'PER', 'glad'),
    task(2, 'Paris is far away', 'LOC', 'sad'),
    task(3, 'Maria lives in Rome', 'PER', 'glad'),
  ]
  await choose(page, 'project-7-at-2024.json', JSON.stringify(tasks))
  const format = ui('features/create:recognized.format.label_studio')
  const counts = [ui('features/create:recognized.rows', { count: 3 }), ui('features/create:recognized.annotators', { count: 1 })]
  await page.getByText([format, ...counts].join(', ')).waitFor()
  await page.getByText(ui('features/create:recognized.leftOut', { count: 1 })).click()
  await page.getByText(ui('features/create:recognized.reason.technical')).waitFor()
  await page.getByRole('button', { name: ui('features/create:recognized.asPlain') }).click()
  await chooseRole(page, 'annotations').waitFor()
  await page.getByText(ui('features/create:recognized.plain', { format })).waitFor()
  await page.getByRole('button', { name: ui('features/create:recognized.asFormat', { format }) }).click()
  await expect.poll(() => chooseRole(page, 'label').inputValue()).toBe('question')
  await expect.poll(() => chooseRole(page, 'source').inputValue()).toBe('metadata')
  await page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()
  await page.getByText(importEnded({ created: 3 })).waitFor({ timeout: 120_000 })
  await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
  await page.getByText('Maria works in Berlin').waitFor()
  await page.getByRole('radio', { name: 'glad' }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

detail('spans of OpenTelemetry become a dataset with a trace for each record', async () => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/new')
  const requests = [
    otlpRequest(otlpSpan(1, { name: 'plan the trip' }), otlpSpan(3, { trace: 2, name: 'other trace' })),
    otlpRequest(otlpSpan(2, { parent: 1, name: 'find trains' })),
  ]
  await choose(page, 'spans.jsonl', requests.map((one) => JSON.stringify(one)).join('\n'))
  const format = ui('features/create:recognized.format.otlp')
  await page.getByText([format, ui('features/create:recognized.rows', { count: 2 })].join(', ')).waitFor()
  await expect.poll(() => chooseRole(page, 'trace').inputValue()).toBe('field')
  // The preview shows the first trace.
  await page.getByRole('treeitem').filter({ hasText: 'find trains' }).waitFor()
  await page.getByRole('button', { name: ui('features/create:questions.add') }).click()
  await page.getByRole('menuitem', { name: ui('question-types/text:name') }).click()
  await page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()
  await page.getByText(importEnded({ created: 2 })).waitFor({ timeout: 120_000 })
  await page.getByRole('link', { name: ui('features/create:imports.annotate') }).click()
  await page.getByRole('treeitem').filter({ hasText: 'plan the trip' }).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

detail('damaged text is shown with a choice of other encodings, which update the preview', async () => {
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/new')
  const rows = [Buffer.from('text,label\nGröße,a\nSchön,b\nJos'), Buffer.from([0xe9]), Buffer.from(',a\nübel,b\n')]
  await choose(page, 'damaged.csv', Buffer.concat(rows))
  await page.getByText(ui('features/create:reading.damaged', { byte: '33' })).waitFor()
  const encoding = page.getByLabel(ui('features/create:reading.encoding'))
  expect(await encoding.inputValue()).toBe('utf-8')
  await page.getByText('Jos\ufffd').first().waitFor()
  await encoding.selectOption('windows-1252')
  await page.getByText('José').first().waitFor()
  await page.getByText(ui('features/create:reading.damaged', { byte: '33' })).waitFor({ state: 'hidden' })
  await encoding.selectOption('utf-8')
  await page.getByText(ui('features/create:reading.damaged', { byte: '33' })).waitFor()
  expect(complaints()).toEqual([])
  await close()
})

detail('annotations become answers of the members of the workspace that the form proposes and people choose', async () => {
  const ann = await seedUser(team.server, 'ann', 'annotator', [team.workspaceId])
  await seedUser(team.server, 'ben', 'annotator', [team.workspaceId])
  const { page, close, complaints } = await openPage(team.browser, team.server.url)
  await createSession(page, team.server.url, 'adam', PASSWORD)
  await page.goto('/new')
  const annotation = (completed_by: unknown, mood: string) => ({
    completed_by,
    result: [result('mood', 'choices', { choices: [mood] })],
    comments: mood === 'glad' ? [{ text: `Comment on ${mood}`, created_by: completed_by }] : [],
  })
  const tasks = ['glad', 'sad', 'glad'].map((mood, i) => ({
    id: i,
    data: { text: `Text ${i}` },
    annotations: [annotation({ email: 'ann@example.org' }, mood), annotation(7, mood), annotation(8, 'sad')],
  }))
  await choose(page, 'people.json', JSON.stringify(tasks))
  const chooser = (name: string) => page.getByLabel(ui('features/create:annotators.becomes', { name }))
  const answersOf = (username: string) => ({ label: ui('features/create:annotators.answersOf', { username }) })
  await expect.poll(() => chooser('ann@example.org').inputValue()).toBe(`user:${ann}`)
  expect(await chooser('user 7').inputValue()).toBe('suggestions')
  await chooser('user 7').selectOption(answersOf('ben'))
  await chooser('user 8').selectOption({ label: ui('features/create:annotators.nothing') })
  await page.getByRole('button', { name: ui('features/create:bar.createAndImport') }).click()
  await page.getByText(ui('features/create:imports.answers', { count: 6, formatted: '6' })).waitFor({ timeout: 120_000 })
  await page.getByText(ui('features/create:imports.unanswered', { count: 3, formatted: '3' })).waitFor()
  await page.getByText(ui('features/create:imports.comments', { count: 4, formatted: '4' })).waitFor()
  expect(complaints()).toEqual([])
  await close()
})
