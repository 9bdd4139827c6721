import { expect, test } from 'vitest'
import { messageBody, messageId, signedHeaders } from './message.ts'

test('a message is signed like in the reference implementation of Standard Webhooks', () => {
  const body = '{"test": 2432232314}'
  const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLASw'
  const headers = signedHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body, secret, at: 1_614_265_330_999_999 })
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,hn6gPDuvthHWWsZDuMjgwyc63ajzh5ywzvy1quoqxtk=',
  })
})

test('the message ID is stable for one delivery and different for others', () => {
  const [one, other] = ['01a2002b-cd97-7094-8b00-000001512868', '01a2002b-cd97-7094-8b00-000001512869']
  expect([messageId(one), messageId(one)]).toEqual(['msg_AaIAK82XcJSLAAAAAVEoaA', messageId(one)])
  expect(messageId(other)).not.toBe(messageId(one))
})

test('a body is JSON that contains the stored data unchanged', () => {
  const body = messageBody({ event: 'record.updated', at: 1_764_000_000_000_001, data: '{"a":[1,"ü"]}' })
  expect(body).toBe('{"type":"record.updated","version":1,"timestamp":"2025-11-24T16:00:00.000001Z","data":{"a":[1,"ü"]}}')
})
