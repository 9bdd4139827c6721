import { expect, it } from 'vitest'
import { kyselyCollecting } from './driver.ts'

it('defers writes as they are, and rejects statements whose result would be read', async () => {
  const put: string[] = []
  const sql = kyselyCollecting((query) => put.push(query.sql))
  await sql.deleteFrom('counters').where('name', '=', 'x').execute()
  expect(put).toEqual(['delete from "counters" where "name" = $1'])
  await expect(sql.selectFrom('counters').select('n').execute()).rejects.toThrow('result is not used')
  await expect(sql.deleteFrom('counters').returning('n').execute()).rejects.toThrow('result is not used')
  expect(put).toHaveLength(1)
})
