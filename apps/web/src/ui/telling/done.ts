import { useEffect } from 'react'
import { closeToast, toast } from './toast.ts'

let told: number | null = null

/** Takes back what was told to be done: something else is begun, and it would be read as told of that. */
export const forgetDone = (): void => {
  if (told !== null) closeToast(told)
  told = null
}

/** Tells that what was asked for is done; one thing at a time. */
export const tellDone = (text: string): void => {
  forgetDone()
  told = toast({ text, kind: 'success' })
}

/** What was done on a page is not told on the next one. Another `place` on the same page is a next one, too. */
export const useDoneHere = (place = ''): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving the place is what it waits for
  useEffect(() => forgetDone, [place])
}
