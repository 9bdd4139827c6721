/**
 * `npm run bench:web`: measures the page's speed in a browser with an empty cache on this machine, and compares it with limits.
 * Prints a table and exits with 1 if a limit is exceeded. Times are in milliseconds.
 */
import { countTransfers, scriptBytes } from '../../e2e/harness/browser.ts'
import { RECORD } from '../../e2e/web/fixtures/annotation.ts'
import { prepare } from '../../scripts/prepare.mjs'
import type { Line } from '../lib/stats.ts'
import { spread, tableOf } from '../lib/stats.ts'
import { changeAfter, firstContentfulPaint, paintAfter, readyAfter } from './clocks.ts'
import { createWebBench, type Slow, SPANS, STEPS, TURNS, visit, type WebBench } from './web-bench.ts'

/** The number of visits. It is large enough for a stable median, although single visits differ by a third. */
const VISITS = 11
const SLOW_VISITS = 7
const PRESSES = 20
const SLOW: Slow = { kilobits: 1600, latency: 150, cpu: 4 }

type Measured = {
  readonly what: string
  readonly unit: 'ms' | 'kB'
  readonly values: readonly number[]
  readonly most?: number
  readonly nearlyAll?: true
}

/**
 * Compares the median, or the 95th percentile for some measurements, with the limit. A single visit says more about the machine
 * than about the page.
 */
const lineOf = ({ what, unit, values, most, nearlyAll }: Measured): Line => {
  const { p50, p95, max } = spread(values)
  const common = { engine: 'sqlite', records: 0, what, value: p50, unit, p95, max }
  return most === undefined
    ? common
    : { ...common, aim: `${nearlyAll ? 'p95 ' : ''}≤ ${most} ${unit}`, met: (nearlyAll ? p95 : p50) <= most }
}

const address = (id: string, query = ''): string => `/dataset/${id}/annotation-mode${query}`

const times = async (count: number, once: (i: number) => Promise<number>): Promise<number[]> => {
  const values: number[] = []
  for (let i = 0; i < count; i += 1) values.push(await once(i))
  return values
}

const scriptsOf = async (world: WebBench, to: string, selector: string, signedIn: boolean): Promise<number> => {
  const opened = await visit(world, { signedIn })
  const transfers = await countTransfers(opened)
  await readyAfter(opened.page, to, selector)
  const bytes = scriptBytes(transfers())
  await opened.close()
  return bytes / 1000
}

const openings = (world: WebBench, count: number, to: string, selector: string, more: Parameters<typeof visit>[1] = {}) =>
  times(count, async () => {
    const opened = await visit(world, more)
    const ms = await readyAfter(opened.page, to, selector)
    await opened.close()
    return ms
  })

const settle = async (page: Awaited<ReturnType<typeof visit>>['page']): Promise<void> => {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
}

const presses = async (world: WebBench): Promise<readonly Measured[]> => {
  const six = await visit(world)
  await readyAfter(six.page, address(world.questions), '[data-question=note]')
  await settle(six.page)
  const enter = await times(PRESSES, () => changeAfter(six.page, 'Enter', RECORD))
  await six.close()

  const bulk = await visit(world)
  await readyAfter(bulk.page, address(world.bulk, '?page=1~1000'), '[data-record]:nth-child(1000)')
  await settle(bulk.page)
  await bulk.page.locator('[data-question=tone]').focus()
  const digits = await times(PRESSES, (i) => paintAfter(bulk.page, String(1 + (i % 3))))
  const all = await times(PRESSES, async () => {
    // The key has no effect while the button that clears the selection has the focus.
    await bulk.page.locator('[data-question=tone]').focus()
    const ms = await paintAfter(bulk.page, 'Control+a')
    if ((await bulk.page.locator('[data-record][data-selected]').count()) !== 1000)
      throw new Error('not all records are selected')
    await bulk.page.locator('[data-select-page]').click()
    return ms
  })
  await bulk.close()

  const spans = await visit(world)
  await readyAfter(spans.page, address(world.spans), '[data-span-text] [data-marked]')
  await settle(spans.page)
  await spans.page.locator('[data-span-text]').focus()
  const arrows = await times(PRESSES, (i) => paintAfter(spans.page, i % 4 === 3 ? 'ArrowDown' : 'ArrowRight'))
  const selecting = await times(PRESSES, () => paintAfter(spans.page, 'Shift+ArrowRight'))
  const marking = await times(6, async (i) => {
    await spans.page.keyboard.press('Control+Shift+ArrowRight')
    return paintAfter(spans.page, String(1 + (i % 3)))
  })
  await spans.close()

  const turns = await visit(world)
  await readyAfter(turns.page, address(world.turns), '[data-question=tone]')
  await settle(turns.page)
  await turns.page.locator('[data-question=tone]').focus()
  // Each digit key answers one question about a turn and moves to the next question, through the whole conversation.
  const labeling = await times(2 * TURNS - 1, (i) => paintAfter(turns.page, String(1 + (i % 3))))
  const moving = await times(PRESSES, () => paintAfter(turns.page, 'k'))
  await turns.close()

  const trace = await visit(world)
  await readyAfter(trace.page, address(world.trace), '[role=treeitem]')
  await settle(trace.page)
  await trace.page.locator('[role=tree]').focus()
  const walking = await times(PRESSES, (i) => paintAfter(trace.page, i % 4 === 3 ? 'k' : 'j'))
  const judging = await times(PRESSES, (i) => paintAfter(trace.page, String(1 + (i % 2))))
  await trace.close()
  return [
    { what: 'Enter, until the next record', unit: 'ms', values: enter, most: 50 },
    { what: 'bulk, 1,000 records: label by shortcut', unit: 'ms', values: digits, most: 100 },
    { what: 'bulk, 1,000 records: select all', unit: 'ms', values: all, most: 100, nearlyAll: true },
    { what: `1 MB with ${SPANS} spans: arrow key`, unit: 'ms', values: arrows, most: 200 },
    { what: `1 MB with ${SPANS} spans: selecting`, unit: 'ms', values: selecting, most: 200 },
    { what: `1 MB with ${SPANS} spans: label by shortcut`, unit: 'ms', values: marking, most: 200 },
    { what: `${TURNS} turns, 2 questions: label by shortcut`, unit: 'ms', values: labeling, most: 50, nearlyAll: true },
    { what: `${TURNS} turns, 2 questions: previous turn`, unit: 'ms', values: moving, most: 50, nearlyAll: true },
    { what: `trace of ${STEPS} steps: next step`, unit: 'ms', values: walking, most: 100, nearlyAll: true },
    { what: `trace of ${STEPS} steps: label by shortcut`, unit: 'ms', values: judging, most: 100, nearlyAll: true },
  ]
}

await prepare()
const world = await createWebBench()
const lines: Line[] = []
const add = (measured: Measured): void => {
  const line = lineOf(measured)
  lines.push(line)
  process.stderr.write(`${line.what}: ${line.value.toFixed(0)} ${line.unit}${line.met === false ? ' (above the limit)' : ''}\n`)
}
try {
  const signIn = { what: 'sign-in', to: '/sign-in', selector: 'input[type=password]' }
  const six = { to: address(world.questions), selector: '[data-question=note]' }
  add({
    what: 'scripts until sign-in is ready',
    unit: 'kB',
    values: [await scriptsOf(world, signIn.to, signIn.selector, false)],
    most: 125,
  })
  add({
    what: 'scripts until annotation is ready',
    unit: 'kB',
    values: [await scriptsOf(world, six.to, six.selector, true)],
    most: 230,
  })
  const painted = await times(VISITS, async () => {
    const opened = await visit(world, { signedIn: false })
    await readyAfter(opened.page, signIn.to, signIn.selector)
    const ms = await firstContentfulPaint(opened.page)
    await opened.close()
    return ms
  })
  add({ what: 'sign-in: first contentful paint', unit: 'ms', values: painted })
  add({
    what: 'annotation with 6 questions, ready',
    unit: 'ms',
    values: await openings(world, VISITS, six.to, six.selector),
    most: 500,
  })
  add({
    what: 'the same with 1.6 Mbit/s, 150 ms latency and a processor 4 times slower',
    unit: 'ms',
    values: await openings(world, SLOW_VISITS, six.to, six.selector, { slow: SLOW }),
    most: 2000,
  })
  add({
    what: 'bulk with 100 records, ready',
    unit: 'ms',
    values: await openings(world, VISITS, address(world.bulk, '?page=1~100'), '[data-record]:nth-child(100)'),
    most: 500,
  })
  add({
    what: `1 MB with ${SPANS} spans, ready`,
    unit: 'ms',
    values: await openings(world, 3, address(world.spans), '[data-span-text] [data-marked]'),
    most: 1000,
  })
  for (const measured of await presses(world)) add(measured)
} finally {
  await world.browser.close()
  await world.server.stop()
}
process.stdout.write(`${tableOf(lines, ['what', 'value', 'unit', 'p95', 'max', 'aim', 'met'])}\n`)
process.exitCode = lines.some(({ met }) => met === false) ? 1 : 0
