import { describe, expect, test } from 'vitest'
import { nextTask, setUp } from './testing/lease-server.ts'

const visited = (before: number, ids: readonly string[], current: string | null = null) => ({ earlier: { before, ids }, current })
type Person = ReturnType<ReturnType<typeof setUp>['join']>
const at = ({ queue, shown }: Person) => [queue.snapshot().position, shown()]

describe('records seen before the page was loaded again', () => {
  test('precede the queue, and going back loads them one by one', async () => {
    const { join, done } = setUp(10)
    done.add('r000')
    const person = join(visited(0, ['r000', 'r001'], 'r002'))
    await person.queue.open()
    expect(at(person)).toEqual([3, 'r002'])
    await person.queue.previous()
    expect(at(person)).toEqual([2, 'r001'])
    await person.queue.previous()
    expect(at(person)).toEqual([1, 'r000'])
    expect(person.fetches).toEqual([['r002'], ['r001'], ['r000']])
    expect(person.queue.snapshot().hasPrevious).toBe(false)
    expect(person.queue.visited()).toEqual({ before: 0, ids: ['r000', 'r001', 'r002'] })
    person.queue.next()
    person.queue.next()
    expect(at(person)).toEqual([3, 'r002'])
  })

  test('are reached in one step, even while others are loading', async () => {
    const { join } = setUp(10)
    const person = join(visited(0, ['r000', 'r001', 'r002', 'r003'], 'r004'))
    await person.queue.open()
    person.queue.goToPosition(4)
    person.queue.goToPosition(2)
    await person.queue.whenMoved()
    expect(at(person)).toEqual([2, 'r001'])
  })

  test('are not shown if the user moves on while they load', async () => {
    const { join, setInFlightWork } = setUp(10)
    const person = join(visited(0, ['r000', 'r001'], 'r002'))
    await person.queue.open()
    setInFlightWork(async () => {
      setInFlightWork(null)
      person.queue.next()
    })
    await person.queue.previous()
    expect(at(person)).toEqual([4, 'r003'])
    await person.queue.previous()
    await person.queue.previous()
    expect(at(person)).toEqual([2, 'r001'])
  })

  test('are passed if they were deleted, and the other positions stay', async () => {
    const { join, deleted } = setUp(10)
    deleted.add('r001').add('r002')
    const person = join(visited(0, ['r000', 'r001', 'r002'], 'r003'))
    await person.queue.open()
    await person.queue.previous()
    expect(person.shown()).toBe('r000')
    expect(person.queue.snapshot()).toMatchObject({ position: 3, hasPrevious: false })
    person.queue.next()
    expect(at(person)).toEqual([4, 'r003'])
    // The browser's history may still contain the position of a deleted record.
    person.queue.goToPosition(1)
    await person.queue.whenMoved()
    expect(at(person)).toEqual([3, 'r000'])
  })

  test('are not passed while the server is unreachable', async () => {
    const { join, setDown } = setUp(10)
    const person = join(visited(0, ['r000'], 'r001'))
    await person.queue.open()
    setDown(true)
    await person.queue.previous()
    expect([at(person), person.failures.length]).toEqual([[2, 'r001'], 1])
    setDown(false)
    await person.queue.previous()
    expect(at(person)).toEqual([1, 'r000'])
  })

  test('do not precede the queue anymore once it has assigned them again', async () => {
    const { join } = setUp(3)
    const person = join(visited(0, ['r000', 'r001'], 'r002'))
    await person.queue.open()
    // The queue has assigned `r000` and `r001` again. They still count as visited, so that they also come after `r002` if the
    // page is reloaded again.
    expect(person.queue.visited()).toEqual({ before: 0, ids: ['r000', 'r001', 'r002'] })
    await person.answer()
    person.send()()
    expect(at(person)).toEqual([4, 'r000'])
    expect(person.queue.visited().ids.toSorted()).toEqual(['r000', 'r001', 'r002'])
    expect(new Set(person.queue.visited().ids).size).toBe(3)
  })

  test('precede the queue even if it assigns them again because an answer has not been sent', async () => {
    const { join } = setUp(2)
    const person = join(visited(0, ['r000'], 'r001'))
    person.unsent.add('r000')
    await person.queue.open()
    await person.answer()
    expect(person.queue.snapshot()).toMatchObject({ phase: 'ready', item: null, total: 0 })
    await person.queue.previous()
    expect(at(person)).toEqual([2, 'r001'])
    await person.queue.previous()
    expect(at(person)).toEqual([1, 'r000'])
    person.send()()
    expect(person.queue.snapshot().total).toBe(0)
  })

  test('are not counted as left if their answers have not been sent and the records come from the device', async () => {
    const { join, setFromDevice } = setUp(10)
    setFromDevice(true)
    const person = join(visited(0, ['r000', 'r001'], 'r002'))
    for (const id of ['r000', 'r001', 'r002']) person.unsent.add(id)
    await person.queue.open()
    expect([at(person), person.queue.snapshot().total]).toEqual([[3, 'r002'], 7])
    await person.queue.previous()
    expect([at(person), person.queue.snapshot().total]).toEqual([[2, 'r001'], 7])
    await person.answer()
    await person.answer()
    expect(person.queue.snapshot().total).toBe(6)
  })

  test('keep their leases while they have edits', async () => {
    const { join } = setUp(10)
    const person = join(visited(0, ['r000', 'r001'], 'r002'))
    person.edited.add('r000')
    await person.queue.open()
    expect(person.queue.workIds()).toEqual(['r000'])
    expect(person.queue.viewIds()).not.toContain('r000')
  })
})

describe('the record on the screen when the page was loaded again', () => {
  test('is shown first, even if the queue would start with another', async () => {
    const person = setUp(20).join(visited(0, ['r000'], 'r012'))
    await person.queue.open()
    expect(at(person)).toEqual([2, 'r012'])
    expect(person.queue.leasedIds()).toContain('r012')
  })

  test('is shown with its answer', async () => {
    const { join, done } = setUp(10)
    done.add('r001')
    const person = join(visited(0, ['r000'], 'r001'))
    await person.queue.open()
    expect(at(person)).toEqual([2, 'r001'])
    expect(person.queue.snapshot().total).toBe(9)
    await person.queue.advance()
    expect(at(person)).toEqual([3, 'r002'])
  })

  test.each(['held', 'deleted'] as const)('is not shown if it is %s', async (fate) => {
    const { join, holdElsewhere, deleted } = setUp(10)
    if (fate === 'held') holdElsewhere('r001')
    else deleted.add('r001')
    const person = join(visited(0, ['r000'], 'r001'))
    await person.queue.open()
    expect(at(person)).toEqual([2, 'r002'])
  })

  test('is shown if others hold it but the user has edited it', async () => {
    const { join, holdElsewhere } = setUp(10)
    holdElsewhere('r001')
    const person = join(visited(0, ['r000'], 'r001'))
    person.edited.add('r001')
    await person.queue.open()
    expect(at(person)).toEqual([2, 'r001'])
  })

  test('is shown after a failure', async () => {
    const { join, setDown } = setUp(10)
    const person = join(visited(0, ['r000'], 'r001'))
    setDown(true)
    await person.queue.open()
    expect(person.queue.snapshot().phase).toBe('failed')
    setDown(false)
    await person.queue.open()
    expect(at(person)).toEqual([2, 'r001'])
  })
})

test('going back to a skipped record leases it again, unless others hold it now', async () => {
  const { join, holderOf, holdElsewhere } = setUp(10)
  const person = join()
  await person.queue.open()
  person.queue.next()
  expect(holderOf('r000')).toBeNull()
  await person.queue.previous()
  await nextTask()
  expect(holderOf('r000')).toBe(person.queue)
  person.queue.next()
  holdElsewhere('r000')
  await person.queue.previous()
  await nextTask()
  expect(at(person)).toEqual([1, 'r001'])
})

test('a position after the loaded records shows the last or the next record', async () => {
  const { join } = setUp(3)
  const person = join()
  await person.queue.open()
  person.queue.goToPosition(9)
  await nextTask()
  expect(person.queue.snapshot().phase).toBe('ready')
  expect(at(person)).toEqual([3, 'r002'])
})
