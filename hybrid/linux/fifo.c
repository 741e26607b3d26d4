// SPDX-License-Identifier: GPL-2.0
/*
 * What programs do with /dev/hocket/fifoN: open, read, write, poll, FIONREAD.
 *
 * A write is one record, whole or not at all. A read takes bytes of one record, never beyond its
 * end; with a buffer of 4 KiB it takes one record. Both sleep until the loops have put or got,
 * unless O_NONBLOCK says otherwise. If `wanted` is set, the loops raise an interrupt. A process
 * that wants to sleep queues itself, sets `wanted`, and looks once more (protocol/fifo.h).
 */
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include <asm/ioctls.h>

#include "hocket.h"

static struct hocket_fifo *fifo_of(struct file *file)
{
	return file->private_data;
}

static int fifo_open(struct inode *inode, struct file *file)
{
	struct hocket *hocket = container_of(inode->i_cdev, struct hocket, cdev);
	struct hocket_fifo *fifo = &hocket->fifo[iminor(inode) % HOCKET_FIFO_COUNT];
	fmode_t wrong = hocket_fifo_to_linux(fifo->number) ? FMODE_WRITE : FMODE_READ;

	if (file->f_mode & wrong)
		return -EACCES; /* it goes the other way */
	file->private_data = fifo;
	mutex_lock(&fifo->lock);
	hocket_fifo_say(&fifo->own->open, ++fifo->opened);
	mutex_unlock(&fifo->lock);
	return stream_open(inode, file);
}

static int fifo_release(struct inode *inode, struct file *file)
{
	struct hocket_fifo *fifo = fifo_of(file);

	mutex_lock(&fifo->lock);
	hocket_fifo_say(&fifo->own->open, --fifo->opened);
	mutex_unlock(&fifo->lock);
	return 0;
}

/* Whether the next read or write succeeds. With the lock. */
static bool is_ready(struct hocket_fifo *fifo, uint32_t bytes)
{
	if (hocket_fifo_to_linux(fifo->number))
		return hocket_fifo_next(&fifo->reader) != 0;
	return hocket_fifo_room(&fifo->writer) >= bytes;
}

/* Waits until it is ready. Returns 0 with the lock held, or an error without the lock. */
static int lock_when_ready(struct file *file, uint32_t bytes)
{
	struct hocket_fifo *fifo = fifo_of(file);
	DEFINE_WAIT(wait);
	int error;

	for (;;) {
		error = mutex_lock_interruptible(&fifo->lock);
		if (error)
			return error;
		if (is_ready(fifo, bytes))
			return 0;
		fifo->refused = bytes;
		if (file->f_flags & O_NONBLOCK) {
			mutex_unlock(&fifo->lock);
			return -EAGAIN;
		}
		prepare_to_wait(&fifo->moved, &wait, TASK_INTERRUPTIBLE);
		hocket_fifo_want(fifo->own, true);
		if (is_ready(fifo, bytes)) {
			finish_wait(&fifo->moved, &wait);
			return 0;
		}
		mutex_unlock(&fifo->lock);
		schedule();
		finish_wait(&fifo->moved, &wait);
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
}

static ssize_t fifo_read(struct file *file, char __user *buffer, size_t size, loff_t *offset)
{
	struct hocket_fifo *fifo = fifo_of(file);
	ssize_t got;
	int error;

	if (size == 0)
		return 0;
	error = lock_when_ready(file, 0);
	if (error)
		return error;
	got = hocket_fifo_get_piece(&fifo->reader, fifo->record,
				    min_t(size_t, size, HOCKET_FIFO_MOST));
	if (copy_to_user(buffer, fifo->record, got)) {
		hocket_fifo_count_lost(fifo->own, hocket_counts(fifo), got);
		got = -EFAULT;
	}
	mutex_unlock(&fifo->lock);
	return got;
}

static ssize_t fifo_write(struct file *file, const char __user *data, size_t size, loff_t *offset)
{
	struct hocket_fifo *fifo = fifo_of(file);
	ssize_t put = size;
	int error;

	if (size == 0)
		return 0;
	if (size > HOCKET_FIFO_MOST)
		return -EMSGSIZE;
	error = lock_when_ready(file, size);
	if (error)
		return error;
	fifo->refused = 0;
	if (copy_from_user(fifo->record, data, size))
		put = -EFAULT;
	else
		hocket_fifo_put(&fifo->writer, fifo->record, size);
	mutex_unlock(&fifo->lock);
	return put;
}

static __poll_t fifo_poll(struct file *file, poll_table *table)
{
	struct hocket_fifo *fifo = fifo_of(file);
	__poll_t events = 0;

	poll_wait(file, &fifo->moved, table);
	mutex_lock(&fifo->lock);
	hocket_fifo_want(fifo->own, true);
	if (is_ready(fifo, max_t(uint32_t, fifo->refused, 1)))
		events = hocket_fifo_to_linux(fifo->number) ? EPOLLIN | EPOLLRDNORM
							    : EPOLLOUT | EPOLLWRNORM;
	mutex_unlock(&fifo->lock);
	return events;
}

/* FIONREAD: the bytes that a read gets at once, of the next record. Of a FIFO to the loops: those
 * that a write has room for.
 */
static long fifo_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct hocket_fifo *fifo = fifo_of(file);
	int bytes;

	if (command != FIONREAD)
		return -ENOTTY;
	mutex_lock(&fifo->lock);
	bytes = hocket_fifo_to_linux(fifo->number) ? hocket_fifo_next(&fifo->reader)
						   : hocket_fifo_room(&fifo->writer);
	mutex_unlock(&fifo->lock);
	return put_user(bytes, (int __user *)argument);
}

const struct file_operations hocket_fifo_operations = {
	.owner = THIS_MODULE, /* so the module stays while a FIFO is open */
	.open = fifo_open,
	.release = fifo_release,
	.read = fifo_read,
	.write = fifo_write,
	.poll = fifo_poll,
	.unlocked_ioctl = fifo_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = no_llseek,
};
