import type { IncomingMessage } from 'node:http'
import { tooLarge, tooMany, unavailable } from '@postil/contract/wire/errors.ts'
import { HttpRefusal } from '../answers/problem-answers.ts'

export type BodyLimits = {
  /** Maximum size of a body in bytes, `POSTIL_MAX_BODY`. */
  readonly maxBody: number
  /** Maximum number of bytes in all bodies that are being received or processed. */
  readonly maxInFlight: number
  /** Maximum total size of one sender's bodies in bytes. Prevents one sender from using up the memory that all senders share. */
  readonly maxInFlightPerSender: number
  /** How long the sender may go without sending anything before the request is aborted, in milliseconds. */
  readonly bodyIdleMs: number
}

/** The number of body bytes in memory, from their arrival until the response: in total and for each sender. */
export type InFlight = { bytes: number; readonly bySender: Map<string, number> }
export const nothingInFlight = (): InFlight => ({ bytes: 0, bySender: new Map() })

/** @returns the sender's bytes in flight */
const addBytes = (inFlight: InFlight, sender: string, bytes: number): number => {
  const own = (inFlight.bySender.get(sender) ?? 0) + bytes
  if (own > 0) inFlight.bySender.set(sender, own)
  else inFlight.bySender.delete(sender)
  inFlight.bytes += bytes
  return own
}

const length = (request: IncomingMessage): number | null => {
  const header = request.headers['content-length']
  return header === undefined ? null : Number(header)
}

/**
 * Receives a body of at most `maxBody` bytes. Its bytes count as in flight until `release` is called.
 * @param sender ID of the user, or the address if the user is not known yet
 * @throws Problem `too_large`, `too_many` if the sender has used up its share, `unavailable` if the server is at its memory
 * limit, HttpRefusal 408 for a stalled sender
 */
export const readBody = (
  request: IncomingMessage,
  limits: BodyLimits,
  inFlight: InFlight,
  sender: string,
): Promise<{ readonly bytes: Buffer; readonly release: () => void }> =>
  new Promise((resolve, reject) => {
    const announced = length(request)
    const tooLong = () =>
      tooLarge(
        `The request body exceeds the limit of ${limits.maxBody} bytes. Send less data per request, for example fewer records. POSTIL_MAX_BODY sets the limit`,
      )
    if (announced !== null && announced > limits.maxBody) {
      reject(tooLong())
      return
    }
    const chunks: Buffer[] = []
    let received = 0
    let held = true
    const release = () => {
      if (held) addBytes(inFlight, sender, -received)
      held = false
    }
    const timer = setTimeout(() => fail(new HttpRefusal(408, 'The body did not arrive in time')), limits.bodyIdleMs)
    const stop = () => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onAbort)
    }
    const fail = (error: Error) => {
      stop()
      release()
      // The rest of the body is read and dropped; otherwise the sender would wait forever and never read the response.
      request.resume()
      reject(error)
    }
    const onData = (chunk: Buffer) => {
      timer.refresh()
      received += chunk.length
      const own = addBytes(inFlight, sender, chunk.length)
      if (received > limits.maxBody) fail(tooLong())
      else if (own > limits.maxInFlightPerSender)
        fail(tooMany('You are sending too much data at the same time. Wait for earlier requests, then try again', 2))
      else if (inFlight.bytes > limits.maxInFlight)
        fail(unavailable('The server is receiving too much data at the moment. Try again shortly', 2))
      else chunks.push(chunk)
    }
    const onEnd = () => {
      stop()
      const [only] = chunks
      resolve({ bytes: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, received), release })
    }
    const onAbort = () => fail(new HttpRefusal(400, 'The body ended before it was complete'))
    request.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onAbort)
  })
