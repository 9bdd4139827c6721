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

/** A separate disk that can be filled and emptied. */
export type SmallDisk = {
  readonly folder: string
  /** Fills the disk, except for the given number of bytes. */
  readonly fill: (leaving: number) => void
  readonly empty: () => void
  readonly readOnly: () => void
  readonly writable: () => void
  readonly drop: () => void
}

const FILLER = 'filler'

/** Whether this user can mount a disk here. Some test machines don't let root do that. */
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

/** @param owner the disk's owner; defaults to the current user */
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
        // Other programs may have written to the disk in the meantime. The disk is then full, and the file is shortened to free
        // the requested bytes.
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

/** Limits the size of files that the process writes, in bytes. Null removes the limit. */
export const limitFiles = (pid: number, bytes: number | null): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes ?? 'unlimited'}:unlimited`])
}

/** The owner of a running process. */
export const ownerOf = (pid: number): { readonly uid: number; readonly gid: number } => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const id = (name: string) => Number(new RegExp(`^${name}:\\t(\\d+)`, 'm').exec(status)?.[1])
  return { uid: id('Uid'), gid: id('Gid') }
}
