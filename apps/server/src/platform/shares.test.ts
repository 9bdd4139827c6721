import { expect, it } from 'vitest'
import { createShares } from './shares.ts'

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let done = false
  void promise.then(() => {
    done = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  return done
}

it('a user waits for a share in order, and other users do not wait', async () => {
  const shares = createShares(2)
  const first = await shares.take('ann')
  await shares.take('ann')
  const [third, fourth] = [shares.take('ann'), shares.take('ann')]
  expect(await settled(third)).toBe(false)
  expect(await settled(shares.take('bob'))).toBe(true)
  first()
  first()
  expect([await settled(third), await settled(fourth)]).toEqual([true, false])
  ;(await third)()
  expect(await settled(fourth)).toBe(true)
})
