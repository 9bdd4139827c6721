import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '@postil/contract/wire/errors.ts'
import { emptyStore } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from './sqlite/open.ts'
import {
  addLater,
  addMore,
  addNumber,
  columnsOf,
  commitsOf,
  deadlockAlways,
  deadlockOnce,
  failAfterPuttingOff,
  failAfterWrite,
  failBeforeMore,
  insertRows,
  readAll,
  refuse,
} from './store.test.operations.ts'
import type { Store } from './store.ts'
import { tables } from './tables.ts'

const operations = new URL('./store.test.operations.ts', import.meta.url).href
let store: Store
let drop: () => Promise<void>

beforeAll(async () => {
  const opened = await emptyStore({ operations })
  store = opened.store
  drop = opened.drop
})
afterAll(() => drop())

describe('a store', () => {
  it('declares the columns that its tables have', async () => {
    const actual = await store.read(columnsOf, {})
    for (const [table, columns] of Object.entries(tables))
      expect([table, actual[table]]).toEqual([table, Object.keys(columns).sort()])
  })

  it('always reads what a confirmed command wrote', async () => {
    for (let i = 0; i < 200; i += 1) {
      const value = await store.write(addNumber, { name: 'own-write', by: 1 })
      const rows = await store.read(readAll, { name: 'own-write' })
      expect(rows).toEqual([{ name: 'own-write', n: value }])
    }
  })

  it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')('syncs every commit except those marked as unsynced', async () => {
    const [usual] = await store.write(commitsOf, { unsynced: false })
    expect(await store.write(commitsOf, { unsynced: true })).toEqual([usual, 'off'])
    for (let i = 0; i < 20; i += 1) expect(await store.write(commitsOf, { unsynced: false })).toEqual([usual, 'on'])
  })

  it('loses no increment of concurrent commands', async () => {
    await Promise.all(Array.from({ length: 300 }, () => store.write(addNumber, { name: 'concurrent', by: 1 })))
    expect(await store.read(readAll, { name: 'concurrent' })).toEqual([{ name: 'concurrent', n: 300 }])
  })

  it('undoes the whole command when it fails', async () => {
    await expect(store.write(failAfterWrite, { name: 'undone' })).rejects.toThrow('broken on purpose')
    expect(await store.read(readAll, { name: 'undone' })).toEqual([])
  })

  it('undoes the whole command when one of its last writes fails', async () => {
    await store.write(addNumber, { name: 'told', by: 7 })
    const late = store.write(addLater, { first: { name: 'told-2', n: 2 }, second: { name: 'told', n: 1 } })
    await expect(late).rejects.toThrow(/unique/i)
    expect(await store.read(readAll, { name: 'told' })).toEqual([{ name: 'told', n: 7 }])
    expect(await store.read(readAll, { name: 'told-2' })).toEqual([])
  })

  it('passes late input to a running command once it is ready', async () => {
    let give = (_: Uint8Array): void => undefined
    const lateInput = () => new Promise<Uint8Array>((resolve) => (give = resolve))
    const writing = store.write(addMore, { name: 'more' }, { lateInput })
    const sooner = await Promise.race([writing, sleep(50, 'it waits')])
    expect([sooner, await store.read(readAll, { name: 'more' })]).toEqual(['it waits', []])
    give(Uint8Array.of(7))
    expect(await writing).toBe(17)
    expect(await store.read(readAll, { name: 'more' })).toEqual([{ name: 'more', n: 17 }])
  })

  it('runs a command without its late input if the input fails, is null or was never promised', async () => {
    expect(
      await store.write(addMore, { name: 'less' }, { lateInput: () => Promise.reject(new Error('broken on purpose')) }),
    ).toBe(11)
    expect(await store.write(addMore, { name: 'less' }, { lateInput: async () => null })).toBe(22)
    expect(await store.write(addMore, { name: 'less' })).toBe(33)
  })

  it('passes each of many commands its own late input, even after earlier commands failed', async () => {
    const more = (n: number) => async () => Uint8Array.of(n)
    const failing = [1, 2, 3].map((n) => store.write(failBeforeMore, { name: 'own' }, { lateInput: more(n) }))
    const writing = [1, 2, 3].map((n) => store.write(addMore, { name: `own-${n}` }, { lateInput: more(n) }))
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(failing.map(() => 'rejected'))
    expect(await Promise.all(writing)).toEqual([11, 12, 13])
  })

  it('runs deferred writes together with the commit, or not at all', async () => {
    const names = ['put-off-1', 'put-off-2', 'put-off-lost', 'PUT-OFF-1']
    const stored = async () => (await Promise.all(names.map((name) => store.read(readAll, { name })))).flat()
    const observedCommand = { name: 'put-off-taken', n: 1 }
    await store.write(addLater, { first: observedCommand, second: { name: 'put-off-other', n: 2 } })
    const first = { name: 'put-off-1', n: 1 }
    await expect(store.write(addLater, { first, second: observedCommand })).rejects.toThrow(/unique/i)
    await expect(store.write(failAfterPuttingOff, { name: 'put-off-lost', n: 1 })).rejects.toThrow('broken on purpose')
    // The deferred write must not leak to the connection's next user.
    await Promise.all(Array.from({ length: 40 }, () => store.write(addNumber, { name: 'put-off-after', by: 1 })))
    expect(await stored()).toEqual([])
    const second = { name: 'put-off-2', n: 2 }
    await store.write(addLater, { first, second })
    expect(await stored()).toEqual([first, second, { name: 'PUT-OFF-1', n: 1 }])
  })

  it('reports a refusal as a Problem with its data', async () => {
    const error = await store.write(refuse, {}).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(Problem)
    expect((error as Problem).data).toMatchObject({ kind: 'conflict', extra: { stands: 1 } })
  })

  it('retries a command after a deadlock', async () => {
    let asked = 0
    const lateInput = async () => {
      asked += 1
      return Uint8Array.of(5)
    }
    const results = await Promise.all([
      store.write(deadlockOnce, { first: 'a', second: 'b' }, { lateInput }),
      store.write(deadlockOnce, { first: 'b', second: 'a' }, { lateInput }),
    ])
    expect(results).toEqual([true, true])
    expect(await store.read(readAll, { name: 'a' })).toEqual([{ name: 'a', n: 6 }])
    expect(asked).toBe(2)
  })

  it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')(
    'asks for another try if a command is still part of a deadlock after some attempts',
    async () => {
      let attempts = 0
      const failing = store.write(deadlockAlways, { onAttempt: () => attempts++ })
      await expect(failing).rejects.toMatchObject({ data: { kind: 'unavailable', retryAfterSeconds: 1 } })
      expect(attempts).toBe(3)
    },
  )

  it('stores booleans, JSON with its key order, long integers, bytes and nulls the same on every engine', async () => {
    expect(await store.write(insertRows, { rows: 1_000 })).toEqual({
      settings: { type: 'text', z: 1, a: [1, 'é', null] },
      required: true,
      description: null,
      inserted_at: 1_763_000_000_123_456,
      rows: 1_000,
    })
  })

  it('refuses a query that writes', async () => {
    await expect(store.read(addNumber as never, { name: 'reader', by: 1 } as never)).rejects.toThrow()
  })
})

describe('the data folder', () => {
  it('is locked to one server at a time and can be reopened', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postil store '))
    const first = await openSqlite({ folder, operations, exclusive: true })
    await expect(openSqlite({ folder, operations, exclusive: true })).rejects.toThrow('Another Postil server is already running')
    const tool = await openSqlite({ folder, operations, exclusive: false })
    await tool.write(addNumber, { name: 'tool', by: 2 })
    expect(await first.read(readAll, { name: 'tool' })).toEqual([{ name: 'tool', n: 2 }])
    await tool.close()
    await first.close()
    const second = await openSqlite({ folder, operations, exclusive: true })
    expect(await second.read(readAll, { name: 'tool' })).toEqual([{ name: 'tool', n: 2 }])
    await second.close()
    await rm(folder, { recursive: true })
  })

  it('starts a thread for commands only when a tool runs one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postil store '))
    await (await openSqlite({ folder, operations, exclusive: true })).close()
    let threads = 0
    const count = () => {
      threads += 1
    }
    process.on('worker', count)
    const tool = await openSqlite({ folder, operations, exclusive: false })
    expect(await tool.read(readAll, { name: 'tool' })).toEqual([])
    expect(threads).toBe(1)
    expect(await Promise.all([2, 3].map((by) => tool.write(addNumber, { name: 'tool', by })))).toEqual([2, 5])
    expect(threads).toBe(2)
    await tool.close()
    await expect(tool.write(addNumber, { name: 'tool', by: 2 })).rejects.toThrow('the store is closed')
    process.off('worker', count)
    await rm(folder, { recursive: true })
  })
})
