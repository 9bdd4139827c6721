/**
 * A value in this tab's session storage, as JSON. It survives reloads but is lost when the tab is closed. Neither function throws:
 * if storage is turned off, the value is always null, and if storage is full, writing removes the value.
 */
export const sessionValue = <T>(key: string) => ({
  read: (): T | null => {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null
    } catch {
      return null
    }
  },
  write: (value: T | null): void => {
    try {
      sessionStorage.removeItem(key)
      if (value !== null) sessionStorage.setItem(key, JSON.stringify(value))
    } catch {
      // Callers work without the value.
    }
  },
})
