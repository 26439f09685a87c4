package queue

import "log"

// Open connects to the queue.
func Open(addr string) (Conn, error) { return redis.Dial(addr) }

// Pop takes the next job of a customer's list and acknowledges it.
func Pop(c Conn, list string) (Job, error) {
	job, err := c.Pop(list)
	if err != nil {
		log.Fatal(err)
	}
	return job, c.Ack(job)
}
