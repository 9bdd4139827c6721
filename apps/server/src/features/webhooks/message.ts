import { createHmac } from 'node:crypto'
import type { Micros } from '#platform/time.ts'
import { printTimeZ } from '#platform/time.ts'
import { VERSION } from '#platform/version.ts'

/**
 * Messages are signed as Standard Webhooks 1.0.0 says. NOTE: by hand, because that is one HMAC of `node:crypto`; the package
 * `standardwebhooks` brings an HMAC in JavaScript with it. Tests verify with that package's Python twin, which the SDK uses.
 */

/** The id of a message: that of its delivery in another form, so that every attempt has the same and receivers can tell it is no other. */
export const messageId = (deliveryId: string): string =>
  `msg_${Buffer.from(deliveryId.replaceAll('-', ''), 'hex').toString('base64url')}`

/** @param data JSON */
export const messageBody = (message: { readonly event: string; readonly at: Micros; readonly data: string }): string =>
  `{"type":${JSON.stringify(message.event)},"version":1,"timestamp":"${printTimeZ(message.at)}","data":${message.data}}`

type Headers = { readonly [name: string]: string }
/** @param secret base64 @param at of the attempt */
export const signedHeaders = (message: { id: string; body: string; secret: string; at: Micros }): Headers => {
  const timestamp = String(Math.floor(message.at / 1_000_000))
  const key = Buffer.from(message.secret, 'base64')
  const signature = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': `Postil/${VERSION}`,
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
