type Task = () => Promise<unknown>

const tasks = new Set<Task>()
/** Work that takes longer does not delay signing out. In milliseconds. */
const maxWait = 2000

/** Registers work to do before the user signs out, while the session is still valid. @returns unregisters it */
export const beforeSignOut = (work: Task): (() => void) => {
  tasks.add(work)
  return () => tasks.delete(work)
}

/** Does the registered work before a sign-out. Never rejects. */
export const runSignOutTasks = async (): Promise<void> => {
  const timeout = new Promise((done) => setTimeout(done, maxWait))
  await Promise.race([Promise.allSettled([...tasks].map((work) => work())), timeout])
}
