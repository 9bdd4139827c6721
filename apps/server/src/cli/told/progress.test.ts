import { expect, it } from 'vitest'
import { progressOn } from './progress.ts'

const streamOf = (isTTY: boolean) => {
  const written: string[] = []
  const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) > 0 }
  return { written, stream: stream as unknown as NodeJS.WriteStream }
}
const amount = (n: number) => `${n} rows`

it('draws a bar on a terminal, in one line that changes', () => {
  const { written, stream } = streamOf(true)
  const progress = progressOn(stream, { amount })
  progress.tell('rows.csv', 0, 200)
  progress.tell('rows.csv', 200, 200)
  progress.end()
  progress.end()
  expect(written).toEqual([
    '\r\u001b[2Krows.csv [........................] 0 %, 0 rows of 200 rows',
    '\r\u001b[2Krows.csv [########################] 100 %, 200 rows of 200 rows',
    '\n',
  ])
})

it('says what there is so far where no end is known', () => {
  const { written, stream } = streamOf(true)
  progressOn(stream, { amount }).tell('out.jsonl', 7, null)
  expect(written).toEqual(['\r\u001b[2Kout.jsonl 7 rows'])
})

it('writes nothing where nobody looks, apart from what begins', () => {
  const { written, stream } = streamOf(false)
  const lines: string[] = []
  const progress = progressOn(stream, { amount, begins: (line) => void lines.push(line) })
  for (const done of [0, 1, 2]) progress.tell('one', done, 2)
  progress.tell('two', 0, null)
  progress.end()
  expect(written).toEqual([])
  expect(lines).toEqual(['one: [........................] 0 %, 0 rows of 2 rows', 'two: 0 rows'])
})
