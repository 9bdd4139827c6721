import { connect, type Socket } from 'node:net'

/** Opens a raw connection to the server at `url`, to send data that no HTTP client would. */
export const rawConnection = async (url: string) => {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  let received = ''
  let isOver = false
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true
      resolve()
    }
    socket.on('close', end).on('error', end)
  })
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
  })
  const until = async (matches: (text: string) => boolean, milliseconds = 5000): Promise<string> => {
    const deadline = Date.now() + milliseconds
    while (!matches(received)) {
      if (isOver || Date.now() > deadline) throw new Error(`nothing came that was waited for, only: ${received}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const text = received
    received = ''
    return text
  }
  return {
    send: (text: string) => socket.write(text),
    until,
    closed,
    stopReading: () => socket.pause(),
    end: () => socket.destroy(),
  }
}
