import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own, which can be filled up and emptied again. */
export type SmallDisk = {
  readonly folder: string
  /** Leaves that much of it. */
  readonly fill: (leaving: number) => void
  readonly empty: () => void
  readonly readOnly: () => void
  readonly writable: () => void
  readonly drop: () => void
}

const FILLER = 'filler'

/** Whether this user may mount a disk here: not every machine of tests lets root do that. */
export const canMount = (): boolean => {
  if (process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'postil-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param owner whose disk it is, by default ours */
export const smallDisk = (megabytes: number, owner?: { readonly uid: number; readonly gid: number }): SmallDisk => {
  const folder = mkdtempSync(join(tmpdir(), 'postil-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder])
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
  const filler = join(folder, FILLER)
  return {
    folder,
    fill: (leaving) => {
      const { bavail, bsize } = statfsSync(folder)
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaving)))
      } catch (error) {
        // NOTE: who writes meanwhile may have taken the room that was free a moment ago: then there is none, and this much is given back
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        truncateSync(filler, Math.max(0, statSync(filler).size - leaving))
      }
    },
    empty: () => truncateSync(filler),
    readOnly: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
    writable: () => void execFileSync('mount', ['-o', 'remount,rw', folder]),
    drop: () => {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The most bytes that a file may have which the process writes; null: as many as it likes. */
export const limitFiles = (pid: number, bytes: number | null): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`])
}

/** Whose a running process is. */
export const ownerOf = (pid: number): { readonly uid: number; readonly gid: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const id = (name: string) => Number(new RegExp(`^${name}:\\t(\\d+)`, 'm').exec(status)?.[1])
  return { uid: id('Uid'), gid: id('Gid') }
}
