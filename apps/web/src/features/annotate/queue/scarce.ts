import { handedAtOnce } from './item.ts'

/** More are asked for when no more than these lie ahead. */
const ahead = 2
/** Where no more are left than one list may have in hand, others would find nothing: then it has no more than these, one on the screen and the next. */
const few = handedAtOnce + ahead + 1
const fewInHand = 2

/** How many records to have in hand, by how many are left. What this device alone has is for nobody else. */
export const createShare = () => {
  let isScarce = false
  return {
    tell: ({ left, isAtHand = false }: { readonly left: number; readonly isAtHand?: boolean }): void => {
      isScarce = left <= few && !isAtHand
    },
    ahead: (): number => (isScarce ? 0 : ahead),
    /** @param held records that are in hand and to be answered */
    limit: (held: number): number => (isScarce ? Math.max(1, fewInHand - held) : handedAtOnce),
  }
}
