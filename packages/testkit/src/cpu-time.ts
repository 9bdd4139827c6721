/**
 * Returns the processor time of a synchronous call, in milliseconds. Unlike elapsed time, it hardly depends on what else the
 * machine does, so a test can use it to reject algorithms whose time is not linear.
 */
export const cpuTimeOf = (call: () => void): number => {
  const before = process.cpuUsage()
  call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
