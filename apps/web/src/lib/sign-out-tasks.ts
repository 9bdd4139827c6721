type Task = () => Promise<unknown>

const tasks = new Set<Task>()
/** The maximum time that registered work can delay signing out, in milliseconds. */
const maxWait = 2000

/**
 * Registers work to do before the user signs out, while the session is still valid. @returns a function that unregisters the
 * work
 */
export const beforeSignOut = (work: Task): (() => void) => {
  tasks.add(work)
  return () => tasks.delete(work)
}

/** Does the registered work before a sign-out. Never rejects. */
export const runSignOutTasks = async (): Promise<void> => {
  const timeout = new Promise((done) => setTimeout(done, maxWait))
  await Promise.race([Promise.allSettled([...tasks].map((work) => work())), timeout])
}
