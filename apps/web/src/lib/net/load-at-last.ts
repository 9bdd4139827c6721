import { nextChance } from './next-chance.ts'

/** Loads until it is there; each failure is told, and waits for the next chance. Never rejects. */
export const loadAtLast = async <T>(load: () => Promise<T>, onFailure: () => void, chance = nextChance): Promise<T> => {
  for (;;) {
    try {
      return await load()
    } catch {
      onFailure()
      await chance()
    }
  }
}
