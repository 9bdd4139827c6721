import { createHmac } from 'node:crypto'
import type { Micros } from '#platform/time.ts'
import { printTimeZ } from '#platform/time.ts'
import { VERSION } from '#platform/version.ts'

/**
 * Messages are signed according to Standard Webhooks 1.0.0. This code doesn't use the `standardwebhooks` package: signing needs
 * only one HMAC from `node:crypto`, while the package includes an HMAC in JavaScript. Tests verify signatures with the Python
 * version of the package, which the SDK uses.
 */

/**
 * Returns a message ID derived from the delivery's ID. It is the same for every attempt, so that receivers can detect
 * duplicates.
 */
export const messageId = (deliveryId: string): string =>
  `msg_${Buffer.from(deliveryId.replaceAll('-', ''), 'hex').toString('base64url')}`

/** @param data the event's data as JSON */
export const messageBody = (message: { readonly event: string; readonly at: Micros; readonly data: string }): string =>
  `{"type":${JSON.stringify(message.event)},"version":1,"timestamp":"${printTimeZ(message.at)}","data":${message.data}}`

type Headers = { readonly [name: string]: string }
/** @param secret base64 @param at the time of the attempt */
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
