// SPDX-License-Identifier: GPL-2.0
/*
 * Plays the loops' side of the FIFOs in a Linux that runs alone, to test the module: what comes out
 * of FIFO n + 1 goes back into FIFO n. It raises the FIFOs' interrupt as the loops' kernel would.
 *
 *   echo     0: nothing is taken or put
 *   hostile  so many more steps it writes what cannot be where Linux's side looks
 */
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/of_address.h>
#include <linux/of_irq.h>
#include <linux/prandom.h>

#include "../protocol/fifo.h"

static int echo = 1;
module_param(echo, int, 0644);
static int hostile;
module_param(hostile, int, 0644);

static void *window;
static unsigned int irq;
static struct task_struct *loop;
static struct hocket_fifo_reader readers[HOCKET_FIFO_COUNT];
static struct hocket_fifo_writer writers[HOCKET_FIFO_COUNT];
static unsigned char record[HOCKET_FIFO_MOST];
static struct rnd_state random;

/* Moves records of one pair of FIFOs; whether Linux is to be told. Not all that there are: a
 * program on another core may write as fast as they go. */
static bool move(unsigned int fifo)
{
	struct hocket_fifo_reader *from = &readers[fifo + 1];
	struct hocket_fifo_writer *to = &writers[fifo];
	unsigned int moved;
	bool tell = false;

	for (moved = 0; moved < 64; moved++) {
		uint32_t bytes = hocket_fifo_next(from);

		if (bytes == 0 || hocket_fifo_room(to) < bytes)
			break;
		hocket_fifo_get_record(from, record, sizeof(record));
		tell |= hocket_fifo_must_tell(from->other);
		hocket_fifo_put(to, record, bytes);
		tell |= hocket_fifo_must_tell(to->other);
	}
	return tell;
}

static uint32_t wrong_value(uint32_t near)
{
	switch (prandom_u32_state(&random) % 4) {
	case 0:
		return prandom_u32_state(&random);
	case 1:
		return near + 8 * (prandom_u32_state(&random) % 600);
	case 2:
		return near - 8 * (prandom_u32_state(&random) % 600);
	default:
		return 0xffffffff;
	}
}

static void scribble(unsigned int fifo)
{
	struct hocket_fifo_ends *out = hocket_fifo_ends_of(window, fifo);
	struct hocket_fifo_ends *in = hocket_fifo_ends_of(window, fifo + 1);
	uint32_t *ring = (uint32_t *)hocket_fifo_ring_of(window, fifo);

	hocket_fifo_say(&ring[2 * (prandom_u32_state(&random) % (HOCKET_FIFO_RING / 8))],
			wrong_value(16));
	hocket_fifo_say(&out->writer.index, wrong_value(hocket_fifo_look(&out->reader.index)));
	hocket_fifo_say(&in->reader.index, wrong_value(hocket_fifo_look(&in->writer.index)));
	hocket_fifo_say(&out->reader.index, wrong_value(0));
	hocket_fifo_say(&in->writer.index, wrong_value(0));
}

static int play(void *unused)
{
	while (!kthread_should_stop()) {
		bool tell = false;
		unsigned int fifo;

		for (fifo = 0; fifo < HOCKET_FIFO_COUNT; fifo += 2) {
			if (hostile > 0) {
				scribble(fifo);
				tell = true;
			} else if (echo) {
				tell |= move(fifo);
			}
		}
		if (hostile > 0)
			hostile--;
		if (tell)
			irq_set_irqchip_state(irq, IRQCHIP_STATE_PENDING, true);
		/*
		 * On an emulator whose cores take turns the timer may always be over before the
		 * thread sleeps: as soon as it is set, the others run until then.
		 */
		usleep_range(200, 300);
		cond_resched();
	}
	return 0;
}

static int __init begin(void)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, "hocket,fifos");
	struct resource place;
	unsigned int fifo;

	if (!node || of_address_to_resource(node, 0, &place))
		return -ENODEV;
	irq = irq_of_parse_and_map(node, 0);
	of_node_put(node);
	window = memremap(place.start, HOCKET_FIFO_WINDOW, MEMREMAP_WB);
	if (!irq || !window)
		return -ENODEV;
	prandom_seed_state(&random, 1);
	hocket_fifo_format(window);
	for (fifo = 0; fifo < HOCKET_FIFO_COUNT; fifo++) {
		hocket_fifo_writer_start(&writers[fifo], window, fifo);
		hocket_fifo_reader_start(&readers[fifo], window, fifo);
	}
	loop = kthread_run(play, NULL, "peer");
	if (IS_ERR(loop)) {
		memunmap(window);
		return PTR_ERR(loop);
	}
	return 0;
}
module_init(begin);

static void __exit end(void)
{
	kthread_stop(loop);
	memunmap(window);
}
module_exit(end);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("plays the loops' side of Hocket's FIFOs");
