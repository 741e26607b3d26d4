/* SPDX-License-Identifier: GPL-2.0 */
/* Linux's side of the FIFOs: what the module's files share. */
#ifndef HOCKET_HYBRID_LINUX_HOCKET_H
#define HOCKET_HYBRID_LINUX_HOCKET_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/wait.h>

#include "../protocol/fifo.h"

/* One FIFO, one /dev/hocket/fifoN. It has a reader or a writer, by its direction. */
struct hocket_fifo {
	unsigned int number;
	struct hocket_fifo_line *own;
	struct device *device;
	wait_queue_head_t moved; /* the loops have put, or got */
	struct mutex lock;	 /* of all that follows; the interrupt takes it not */
	union {
		struct hocket_fifo_reader reader; /* out of the loops */
		struct hocket_fifo_writer writer; /* to the loops */
	};
	unsigned int opened;   /* files */
	uint32_t refused;      /* bytes that a write had no room for: poll waits for so many */
	unsigned char *record; /* on its way from or to a program */
};

struct hocket {
	void *window;
	dev_t numbers;
	struct class *class;
	struct cdev cdev;
	unsigned int made; /* devices */
	struct hocket_fifo fifo[HOCKET_FIFO_COUNT];
};

static inline struct hocket_fifo_counts *hocket_counts(struct hocket_fifo *fifo)
{
	return hocket_fifo_to_linux(fifo->number) ? &fifo->reader.counts : &fifo->writer.counts;
}

/* fifo.c: what programs do with a FIFO. */
extern const struct file_operations hocket_fifo_operations;

/* counters.c: files of numbers in /sys/class/hocket/hocket!fifoN. */
extern const struct attribute_group *hocket_counter_groups[];

#endif
