const listeners = new Set<() => void>()

/** Something has been begun that the server goes on with; passes on what the server said of it. */
export const jobStarted = <T>(job: T): T => {
  for (const listener of listeners) listener()
  return job
}

/** Tells when a job was started on this page. @returns ends it */
export const whenJobStarted = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
