import type { Browser } from 'playwright-core'
import { openBrowser, openPage } from '../../e2e/harness/browser.ts'
import { type RunningServer, startServer } from '../../e2e/harness/server.ts'
import { givenAnnotation, TEXT, TOPICS } from '../../e2e/web/ground/annotation.ts'
import { givenWorkspace } from '../../e2e/web/ground/given.ts'
import { haveSession } from '../../e2e/web/support/sign-in.ts'

export type World = {
  readonly server: RunningServer
  readonly browser: Browser
  /** Datasets by what is measured on them. */
  readonly questions: string
  readonly bulk: string
  readonly spans: string
}

/** Everything suggested, so that Enter submits. */
const suggestions = {
  tone: { value: 'neutral', score: 0.8, agent: 'model' },
  topics: { value: [TOPICS[0]?.toLowerCase().replaceAll(' ', '-')] },
  quality: { value: 5 },
  entities: { value: [{ label: 'person', start: 6, end: 18 }] },
}

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

/** A server with what is measured, and a browser. */
export const createWorld = async (): Promise<World> => {
  const [server, browser] = await Promise.all([startServer({ engine: 'sqlite' }), openBrowser({ whole: true })])
  const workspaceId = await givenWorkspace(server, 'team')
  const text = longText()
  const value = Array.from({ length: SPANS }, (_, i) => {
    const start = Math.floor((i * text.length) / SPANS)
    return { label: ['person', 'place', 'thing'][i % 3], start, end: start + 12 }
  })
  return {
    server,
    browser,
    questions: await givenAnnotation(server, {
      name: 'six questions',
      workspaceId,
      records: Array.from({ length: 200 }, (_, i) => ({ fields: { text: `${TEXT} (${i})` }, suggestions })),
    }),
    bulk: await givenAnnotation(server, {
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
    spans: await givenAnnotation(server, {
      name: 'a long text',
      workspaceId,
      questions: { names: spanQuestion },
      records: [{ fields: { text }, suggestions: { names: { value } } }],
    }),
  }
}

export type Visit = Awaited<ReturnType<typeof visit>>

export type Slow = { readonly kilobits: number; readonly latency: number; readonly cpu: number }

/** A browser that has nothing in its cache. @param slow limits its network (kilobits a second, ms) and its processor (times) */
export const visit = async ({ browser, server }: World, options: { readonly signedIn?: boolean; readonly slow?: Slow } = {}) => {
  const opened = await openPage(browser, server.url)
  // What idle time fetches ahead is no part of what is waited for.
  await opened.page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  if (options.signedIn !== false) {
    await haveSession(opened.page, server.url)
    // What sign-in leaves behind: the page then fetches what lies behind it at once.
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
