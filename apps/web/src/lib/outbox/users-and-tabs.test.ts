import { describe, expect, test, vi } from 'vitest'
import { createInMemoryDevice } from './device.ts'
import { answerOf, createBrowser, expectState, mutationInput, openTab, save, server, settled, state } from './testing/tabs.ts'

describe('a user', () => {
  test('whose session ended gets their answers sent after signing in again', async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.signIn(null)
    await tab.save(mutationInput('r1', null, save('a')))
    await expect.poll(() => tab.snapshot().sender).toBe('signed_out')
    expect(await tab.unsentCounts('ada')).toEqual({ waiting: 1, issues: 0 })
    server.signIn('ada')
    await tab.start('ada')
    await settled(tab)
    expect(answerOf('r1')).toBe('a')
  })

  test('whose session ended is notified, even if only the identity check discovers it', async () => {
    const ended = vi.fn()
    const tab = await openTab(createBrowser(), undefined, ended)
    await tab.start('ada')
    expect(ended).not.toHaveBeenCalled()
    server.signIn(null)
    await tab.save(mutationInput('r1', null, save('a')))
    await expect.poll(() => ended).toHaveBeenCalledOnce()
    expect(server.answers.size).toBe(0)
  })

  test('who signed in again in another tab, which sent their answers, does not count as signed out', async () => {
    const browser = createBrowser()
    const [a, b] = await Promise.all([openTab(browser), openTab(browser)])
    await a.start('ada')
    server.signIn(null)
    await a.save(mutationInput('r1', null, save('a')))
    await expect.poll(() => a.snapshot().sender).toBe('signed_out')
    server.signIn('ada')
    await b.start('ada')
    await settled(a)
    await a.start('ada')
    await expect.poll(() => a.snapshot().sender).toBe('idle')
  })

  test('who needs a second factor gets their answers sent after it', async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.faults.push({ status: 403, body: { code: 'second_factor_due', message: 'first a second factor' } })
    await tab.save(mutationInput('r1', null, save('a')))
    await expect.poll(() => tab.snapshot().sender).toBe('signed_out')
    expect(await tab.unsentCounts('ada')).toEqual({ waiting: 1, issues: 0 })
    await tab.start('ada')
    await settled(tab)
    expect(answerOf('r1')).toBe('a')
  })

  test("never gets another user's answers", async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.signIn(null)
    await tab.save(mutationInput('r1', null, save('a')))
    await expect.poll(() => tab.snapshot().sender).toBe('signed_out')
    tab.stop()
    server.signIn('ben')
    await tab.start('ben')
    await tab.save(mutationInput('r2', null, save('b')))
    await settled(tab)
    expect([...server.answers.keys()]).toEqual(['r2'])
    expect(await tab.unsentCounts('ada')).toEqual({ waiting: 1, issues: 0 })
  })

  test('whose session changes to another user while sending keeps the unsent answers', async () => {
    const tab = await openTab()
    await tab.start('ada')
    const names = Array.from({ length: 30 }, (_, i) => `r${i}`)
    const stop = tab.onConfirmed(() => server.signIn('ben'))
    await tab.save(...names.map((name) => mutationInput(name, null, save('a'))))
    await expect.poll(() => tab.snapshot().sender).toBe('signed_out')
    expect(new Set([...server.answers.values()].map(({ user_id }) => user_id))).toEqual(new Set(['ada']))
    expect(await tab.unsentCounts('ada')).toEqual({ waiting: names.length - server.answers.size, issues: 0 })
    stop()
    server.signIn('ada')
    await tab.start('ada')
    tab.wake()
    await settled(tab)
    expect(server.answers.size).toBe(names.length)
  })

  test("who signs in from another tab does not send this tab's answers", async () => {
    const tab = await openTab()
    await tab.start('ada')
    server.signIn('ben')
    await tab.save(mutationInput('r1', null, save('a')))
    await expect.poll(() => tab.snapshot().sender).toBe('signed_out')
    expect(server.answers.size).toBe(0)
  })
})

describe('two tabs', () => {
  test('send each answer once and both know the result', async () => {
    const browser = createBrowser()
    const [a, b] = await Promise.all([openTab(browser), openTab(browser)])
    const told: string[] = []
    b.onConfirmed(({ recordId }) => told.push(recordId))
    await Promise.all([a.start('ada'), b.start('ada')])
    await Promise.all(Array.from({ length: 20 }, (_, i) => a.save(mutationInput(`r${i}`, null, save(`${i}`)))))
    await Promise.all([settled(a), settled(b)])
    expect([server.answers.size, server.writes(), told.length]).toEqual([20, 20, 20])
  })

  test('exchange rejected answers under the names of an older page', async () => {
    const browser = createBrowser()
    const older = browser.channel()
    const received: unknown[] = []
    older.listen((message) => received.push(...(message as { lines: Map<string, unknown> }).lines.values()))
    const tab = await openTab(browser)
    await tab.start('ada')
    server.faults.push({ status: 422, body: { message: 'This will not do' } })
    await tab.save(mutationInput('r1', null, save('a')))
    await expectState(tab, 'r1', 'rejected')
    const rejected = received.at(-1) as { readonly record_id: string }
    expect(rejected).toMatchObject({ record_id: 'r1', trouble: { kind: 'refused', status: 422 } })
    expect(rejected).not.toHaveProperty('issue')
    const lines = new Map([['r2', { ...rejected, record_id: 'r2' }]])
    older.post({ user_id: 'ada', lines, confirmed: new Map() })
    expect(state(tab, 'r2')).toBe('rejected')
  })

  test('without locks resend harmlessly', async () => {
    const browser = { ...createBrowser(), runExclusively: (work: () => Promise<void>) => work() }
    const [a, b] = await Promise.all([openTab(browser), openTab(browser)])
    await Promise.all([a.start('ada'), b.start('ada')])
    await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? a : b).save(mutationInput(`r${i}`, null, save(`${i}`)))))
    a.wake()
    b.wake()
    await Promise.all([settled(a), settled(b)])
    expect([server.answers.size, server.writes()]).toEqual([10, 10])
  })
})

test('a browser without storage still sends, and reports that nothing is stored', async () => {
  const tab = await openTab(createBrowser(), Promise.resolve(createInMemoryDevice()))
  await tab.start('ada')
  await tab.save(mutationInput('r1', null, save('a')))
  expect([...tab.snapshot().memoryOnly]).toEqual(['r1'])
  await settled(tab)
  expect(answerOf('r1')).toBe('a')
})
