import type { Browser } from 'playwright-core'
import { openBrowser, openPage } from '../../e2e/harness/browser.ts'
import { type RunningServer, startServer } from '../../e2e/harness/server.ts'
import { seedAnnotationDataset, TEXT, TOPICS } from '../../e2e/web/fixtures/annotation.ts'
import { seedWorkspace } from '../../e2e/web/fixtures/seed.ts'
import { longTrace, traceField } from '../../e2e/web/fixtures/traces.ts'
import { createSession } from '../../e2e/web/support/sign-in.ts'

export type WebBench = {
  readonly server: RunningServer
  readonly browser: Browser
  /** Dataset IDs, named after what each dataset measures. */
  readonly questions: string
  readonly bulk: string
  readonly spans: string
  readonly turns: string
  readonly trace: string
}

/** Suggestions for all questions, so that Enter submits. */
const suggestions = {
  tone: { value: 'neutral', score: 0.8, agent: 'model' },
  topics: { value: [TOPICS[0]?.toLowerCase().replaceAll(' ', '-')] },
  quality: { value: 5 },
  entities: { value: [{ label: 'person', start: 6, end: 18 }] },
}

/** The number of steps in the long trace. */
export const STEPS = 2000

export const SPANS = 5000
const WORDS = ['the', 'river', 'Ada', 'of', 'engines', 'wrote', 'in', 'London', 'notes', 'and', 'long', 'letters']
/** A megabyte of words in paragraphs. */
const longText = (): string => {
  const words: string[] = []
  for (let length = 0, i = 0; length < 1_000_000; i += 1) {
    const word = `${WORDS[(i * 7) % WORDS.length]}${i % 60 === 59 ? '.\n\n' : ' '}`
    words.push(word)
    length += word.length
  }
  return words.join('')
}

export const TURNS = 200
const turnsQuestion = (title: string, values: readonly string[]) => ({
  title,
  required: true,
  settings: {
    type: 'span',
    postil_kind: 'turns',
    field: 'chat',
    options: values.map((value) => ({ value, text: value })),
    unit: { of: 'turn' },
  },
})
const chat = Array.from({ length: TURNS }, (_, i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${i + 1}: ${WORDS.join(' ')} ${WORDS.toReversed().join(' ')}.`,
}))

const spanQuestion = {
  title: 'Names',
  required: true,
  settings: {
    type: 'span',
    field: 'text',
    options: ['Person', 'Place', 'Thing'].map((text) => ({ value: text.toLowerCase(), text })),
    allow_overlapping: false,
  },
}

export const createWebBench = async (): Promise<WebBench> => {
  const [server, browser] = await Promise.all([startServer({ engine: 'sqlite' }), openBrowser({ whole: true })])
  const workspaceId = await seedWorkspace(server, 'team')
  const text = longText()
  const value = Array.from({ length: SPANS }, (_, i) => {
    const start = Math.floor((i * text.length) / SPANS)
    return { label: ['person', 'place', 'thing'][i % 3], start, end: start + 12 }
  })
  return {
    server,
    browser,
    questions: await seedAnnotationDataset(server, {
      name: 'six questions',
      workspaceId,
      records: Array.from({ length: 200 }, (_, i) => ({ fields: { text: `${TEXT} (${i})` }, suggestions })),
    }),
    bulk: await seedAnnotationDataset(server, {
      name: 'a thousand records',
      workspaceId,
      questions: {
        tone: {
          title: 'Tone',
          required: true,
          settings: {
            type: 'label_selection',
            options: ['Good', 'Bad', 'Mixed'].map((one) => ({ value: one.toLowerCase(), text: one })),
          },
        },
      },
      records: Array.from({ length: 1000 }, (_, i) => ({ fields: { text: `Record ${i} says a few words of its own.` } })),
    }),
    spans: await seedAnnotationDataset(server, {
      name: 'a long text',
      workspaceId,
      questions: { names: spanQuestion },
      records: [{ fields: { text }, suggestions: { names: { value } } }],
    }),
    turns: await seedAnnotationDataset(server, {
      name: 'a long conversation',
      workspaceId,
      fields: [{ name: 'chat', title: 'Chat', required: true, settings: { type: 'chat', use_markdown: false } }],
      questions: {
        tone: turnsQuestion('Tone', ['good', 'bad', 'mixed']),
        stars: turnsQuestion('Stars', ['1', '2', '3', '4', '5']),
      },
      records: [{ fields: { chat } }],
    }),
    trace: await seedAnnotationDataset(server, {
      name: 'a long trace',
      workspaceId,
      fields: [traceField],
      questions: {
        steps: {
          title: 'Steps',
          required: true,
          settings: {
            type: 'span',
            postil_kind: 'turns',
            field: 'trace',
            options: ['good', 'bad'].map((one) => ({ value: one, text: one })),
            unit: { of: 'turn', roles: null, required: 'none' },
          },
        },
      },
      records: [{ fields: { trace: { steps: longTrace(STEPS) } } }],
    }),
  }
}

export type Visit = Awaited<ReturnType<typeof visit>>

export type Slow = { readonly kilobits: number; readonly latency: number; readonly cpu: number }

/**
 * Opens a page in a browser with an empty cache. @param slow limits the network (kilobits per second, ms) and the processor
 * (slowdown factor)
 */
export const visit = async (
  { browser, server }: WebBench,
  options: { readonly signedIn?: boolean; readonly slow?: Slow } = {},
) => {
  const opened = await openPage(browser, server.url)
  // Turns off idle-time prefetching, which is not part of the measurement.
  await opened.page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  if (options.signedIn !== false) {
    await createSession(opened.page, server.url)
    // The page stores this value at sign-in. If it exists on the next visit, the page prefetches its data at once.
    await opened.page.addInitScript(() => {
      if (window.top !== window) return
      localStorage.setItem('postil', JSON.stringify({ ...JSON.parse(localStorage.getItem('postil') ?? '{}'), signedIn: true }))
    })
  }
  if (options.slow) {
    const { kilobits, latency, cpu } = options.slow
    const session = await opened.context.newCDPSession(opened.page)
    const throughput = (kilobits * 1000) / 8
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  }
  return opened
}
